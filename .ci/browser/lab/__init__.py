"""Checks of the lab: the editor, runner and stepper of every kernel."""
