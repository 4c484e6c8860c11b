// Questions after a section: a choice is graded at once, and explained. The first choice counts; what
// is chosen after it is explained only.
//
// With the arrow keys a reader looks through the options, so these only move: Enter or the space bar
// chooses. What was answered is kept in this browser (`remember.js`), and asked again after some days
// (`boxes.js`).

import { after, isDue } from './boxes.js';
import { h } from './html.js';
import * as memory from './remember.js';

const date = (day) => new Date(`${day}T12:00`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });

/** The parts of one question in its page. */
export class Question {
    constructor(fieldset) {
        this.root = fieldset;
        this.key = fieldset.dataset.key;
        this.right = Number(fieldset.dataset.right);
        this.inputs = [...fieldset.querySelectorAll('input')];
        this.answer = fieldset.querySelector('.cuda-answer');
    }

    get entry() {
        return memory.all().quiz.get(this.key);
    }

    label(at) {
        return this.inputs[at].parentElement;
    }

    /** Why an option is right or wrong: a copy of what the page has. */
    because(at) {
        const holds = at === this.right ? this.answer.querySelector('.cuda-because') : this.label(at).nextElementSibling;
        return [...holds.cloneNode(true).childNodes];
    }

    furnish() {
        this.answer.hidden = true;
        this.said = h('div', { class: 'cuda-said', role: 'status' });
        this.root.append(this.said);
        let moving = false;
        this.root.addEventListener('keydown', (event) => {
            // mdBook turns the page at an arrow key, and searches at an `s`.
            event.stopPropagation();
            moving = event.key.startsWith('Arrow');
            const at = this.inputs.indexOf(event.target);
            if ((event.key === 'Enter' || event.key === ' ') && at >= 0 && this.inputs[at].checked) {
                event.preventDefault();
                this.choose(at);
            }
        });
        this.root.addEventListener('pointerdown', () => { moving = false; });
        this.root.addEventListener('change', (event) => {
            if (!moving) this.choose(this.inputs.indexOf(event.target));
            else if (!this.graded) this.say('', 'Enter chooses.');
        });
        this.remind();
    }

    /** What was answered the last time. */
    remind() {
        const { entry } = this;
        if (!entry || this.graded) return;
        const last = entry.right ? 'right' : 'wrong';
        this.say('', `Your last answer was ${last}. ${isDue(entry) ? 'It is due again.' : `It is due again on ${date(entry.due)}.`}`);
    }

    say(kind, ...parts) {
        this.said.className = `cuda-said ${kind}`.trim();
        this.said.replaceChildren(...parts);
    }

    choose(at) {
        const right = at === this.right;
        const parts = [h('p', {}, h('strong', {}, right ? '✓ Right.' : '✗ Not so.')), ...this.because(at)];
        if (!right) {
            const text = this.label(this.right).querySelector('span').cloneNode(true);
            parts.push(h('p', {}, h('strong', {}, 'Right: ', ...text.childNodes)), ...this.because(this.right));
        }
        if (!this.graded) {
            this.graded = true;
            const failed = memory.keepAll(({ quiz }) => quiz.set(this.key, after(quiz.get(this.key), right)));
            if (failed) parts.push(h('p', {}, failed));
        }
        this.say(right ? 'cuda-right' : 'cuda-wrong', ...parts);
        document.dispatchEvent(new CustomEvent('cuda-answered'));
    }
}

/** How many of a block's questions were answered right the last time. */
function tally(block) {
    const { quiz } = memory.all();
    const keys = [...block.querySelectorAll('.cuda-item')].map((item) => item.dataset.key);
    const given = keys.filter((key) => quiz.has(key));
    const right = given.filter((key) => quiz.get(key).right).length;
    block.querySelector('.cuda-tally').textContent = given.length ? `, ${given.length} answered, ${right} right` : '';
}

/** Opens what an address leads to. */
function reveal() {
    const item = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const block = item && item.matches('.cuda-item') ? item.closest('.cuda-quiz') : null;
    if (block) {
        block.open = true;
        item.scrollIntoView();
    }
}

/** The page of all chapters is there to be printed. */
export const printed = /\/print\.html$/.test(location.pathname);

export const questions = printed ? [] : [...document.querySelectorAll('.cuda-item')].map((item) => new Question(item));
if (!printed) {
    questions.forEach((question) => question.furnish());
    const blocks = [...document.querySelectorAll('.cuda-quiz')];
    const show = () => blocks.forEach(tally);
    show();
    document.addEventListener('cuda-answered', show);
    memory.watch(() => {
        show();
        questions.forEach((question) => question.remind());
    });
    addEventListener('hashchange', reveal);
    reveal();
}
