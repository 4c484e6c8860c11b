//! The words of a finding about an asynchronous operation.

use super::order::Advice;
use super::proxy::Made;
use super::{Earlier, Operation, RaceDetector};
use crate::event::{
    Access, AccessKind, Agent, BarrierId, Channel, Issue, LanesAt, Portion, Space, WarpContext,
};
use crate::isa::{GroupKind, Inst, MbarrierOp};
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site, value};

impl RaceDetector<'_> {
    pub(super) fn site(&self, pc: u32, (block, thread): (u32, u32), what: &'static str) -> Site {
        Site {
            span: self.prepared.kernel.spans[pc as usize],
            what,
            block: self.prepared.block_index(block),
            thread: self.prepared.thread_index(thread),
            value: None,
        }
    }

    /// An element, for messages; and the number of its object.
    fn element(&self, space: Space, object: u32, offset: u32) -> (String, u32) {
        let place = value::place(self.prepared, space, object, offset);
        (place.at(offset), place.number)
    }

    pub(super) fn operation_site(&self, op: &Operation, lane: u8) -> Site {
        self.site(op.pc, (op.block, op.warp * 32 + u32::from(lane)), op.agent.name())
    }

    /// An operation is issued too early, or without a proxy fence.
    #[cold]
    pub(super) fn report_operation(
        &self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        (portion, offset): (&Portion, u32),
        earlier: Earlier,
        findings: &mut Findings,
    ) {
        let (element, number) = self.element(portion.space, portion.object, offset);
        let me = context.warp * 32 + u32::from(portion.lane);
        let first = self.site(issue.pc, (context.block, me), issue.agent.name());
        let (agent, verb) = (issue.agent.name(), verb(portion.kind));
        let (code, second, text) = match earlier {
            Earlier::Thread { conflict, lacks_proxy_fence } => {
                let other = self.other(context, me, conflict.then, conflict.relation);
                let what = if conflict.then_writes { "write" } else { "read" };
                let second = other.who.zip(other.site).map(|((block, thread), site)| Site {
                    span: site.span,
                    what,
                    block: self.prepared.block_index(block),
                    thread: self.prepared.thread_index(thread),
                    value: None,
                });
                let (code, text) = match (lacks_proxy_fence, portion.kind) {
                    (true, _) => (
                        Code::MissingProxyFence,
                        Text::error(format!(
                            "this {agent} {verb} {element} through the async proxy, and no proxy fence stands between a thread's write and it"
                        ))
                        .with_help("put fence.proxy.async after the write, before the barrier behind which the operation is issued"),
                    ),
                    (false, AccessKind::Load) => (
                        Code::CopiedEarly,
                        Text::error(format!(
                            "this {agent} reads {element}, and nothing orders the {what} of a thread before it"
                        ))
                        .with_help("put a barrier between the writes and the operation, where every thread that writes reaches it"),
                    ),
                    (false, _) => (
                        Code::RefilledEarly,
                        Text::error(format!(
                            "this {agent} writes {element}, and nothing orders the {what} of a thread before it"
                        ))
                        .with_help("wait until every thread that uses the buffer is done with it: by a barrier, or by an mbarrier at which they arrive"),
                    ),
                };
                (code, second, text)
            }
            Earlier::Operation { id, lane, writes } => {
                let Some(op) = self.operations.get(id) else { return };
                let (other, did) = (op.agent.name(), if writes { "writes" } else { "reads" });
                let text = Text::error(format!(
                    "this {agent} {verb} {element}, which an earlier {other} {did} and nobody has waited for"
                ));
                let text = text.with_help(self.advice((context, me), op, (lane, writes)));
                (Code::OverlappingOperations, Some(self.operation_site(op, lane)), text)
            }
        };
        let case = Case::new(code, first).with_second(second).with_object(number);
        findings.add(case, || text);
    }

    /// A thread accesses what an operation may still read or write.
    #[cold]
    pub(super) fn report_access(
        &self,
        (context, access): (&WarpContext<'_>, &Access<'_>),
        (lane, offset): (usize, u32),
        earlier: Earlier,
        findings: &mut Findings,
    ) {
        let Earlier::Operation { id, lane: asked, writes } = earlier else { return };
        let Some(op) = self.operations.get(id) else { return };
        let me = context.warp * 32 + lane as u32;
        let (object, _) = self.holder(context, access);
        let (element, number) = self.element(access.space, object, offset);
        let (agent, here) = (op.agent.name(), access.kind.word());
        let (code, message) = if writes {
            let phase = self.phase(op);
            let message = format!(
                "this {here} of {element} does not wait for the {agent} that writes it{phase}"
            );
            (Code::CopyNotAwaited, message)
        } else {
            let message =
                format!("this {here} of {element} does not wait for the {agent} that reads it");
            (Code::SourceNotAwaited, message)
        };
        let first = self.site(access.pc, (context.block, me), here);
        let case = Case::new(code, first).with_second(Some(self.operation_site(op, asked)));
        findings.add(case.with_object(number), || {
            Text::error(message).with_help(self.advice((context, me), op, (asked, writes)))
        });
    }

    /// A block ends while a bulk copy may still read its shared memory.
    #[cold]
    pub(super) fn report_source_at_end(&self, at: LanesAt, findings: &mut Findings) {
        let site = Site::at(self.prepared, at, Agent::BulkCopy.name());
        findings.add(Case::new(Code::SourceNotAwaited, site), || {
            Text::error("this bulk copy reads shared memory of its block, which may end before: nobody waits for it")
                .with_help("put cp.async.bulk.wait_group.read 0 into the thread that issued it, before it exits")
        });
    }

    /// Which phase of which mbarrier tells that an operation is done.
    fn phase(&self, op: &Operation) -> String {
        let Channel::Barrier(BarrierId { offset, block }) = op.channel else {
            return String::new();
        };
        let (barrier, _) = self.element(Space::Shared, block, offset);
        match op.stage {
            u32::MAX => format!(", and completes at {barrier}"),
            phase => {
                format!(", and completes in phase {phase} of {barrier} (parity {})", phase % 2)
            }
        }
    }

    /// What to do so that an operation is known to be done.
    pub(super) fn advice(
        &self,
        (context, me): (&WarpContext<'_>, u32),
        op: &Operation,
        (lane, writes): (u8, bool),
    ) -> String {
        let own = op.block == context.block && op.warp * 32 + u32::from(lane) == me;
        let advice = self.operations.order.advice((op, lane, writes), (context.block, me));
        let (wait, all) = match op.channel {
            Channel::Group(GroupKind::CopyAsync, _) => ("cp.async.wait_group", "cp.async.wait_all"),
            Channel::Group(GroupKind::Bulk, _) => {
                ("cp.async.bulk.wait_group", "cp.async.bulk.wait_group 0")
            }
            Channel::Group(GroupKind::Matrix, _) => ("wgmma.wait_group", "wgmma.wait_group 0"),
            Channel::Barrier(_) => ("mbarrier.try_wait", "mbarrier.try_wait"),
        };
        match (advice, op.channel) {
            (Advice::WaitedTooFew { before }, Channel::Group(_, group)) => format!(
                "{wait} covers the groups before number {before} of its thread, and this operation is in group {group}: leave fewer groups"
            ),
            (Advice::WaitedTooFew { before }, Channel::Barrier(_)) => format!(
                "the thread has waited for the phases before number {before} only: wait for this one, and check the parity"
            ),
            (Advice::OnlyRead, _) => {
                format!("{wait}.read waits for the reads alone: use the form without .read")
            }
            (Advice::Unordered, _) => format!(
                "the thread that issued it has waited, but nothing orders that wait before this: put __syncthreads() after {wait}"
            ),
            (Advice::Never, Channel::Barrier(_)) => {
                "wait for its mbarrier (mbarrier.try_wait) in every thread that accesses the data"
                    .to_owned()
            }
            (Advice::Never, Channel::Group(..)) if own => format!("put {all} before this"),
            (Advice::Never, Channel::Group(..)) => {
                format!("put {all} in the thread that issued it, and __syncthreads() after that")
            }
        }
    }

    /// The copy engine uses an mbarrier that was made without a fence.
    #[cold]
    pub(super) fn report_unfenced_barrier(
        &self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        made: Made,
        findings: &mut Findings,
    ) {
        let Channel::Barrier(barrier) = issue.channel else { return };
        let (element, number) = self.element(Space::Shared, barrier.block, barrier.offset);
        let lane = issue.portions.first().map_or(0, |portion| portion.lane);
        let me = (context.block, context.warp * 32 + u32::from(lane));
        let second = self.site(made.pc, (barrier.block, made.thread), "mbarrier.init");
        let case = Case::new(Code::MissingInitFence, self.site(issue.pc, me, issue.agent.name()));
        findings.add(case.with_second(Some(second)).with_object(number), || {
            Text::error(format!(
                "this {} completes at {element}, and no fence makes that mbarrier known to the async proxy",
                Agent::name(issue.agent)
            ))
            .with_help("put fence.mbarrier_init.release.cluster (or fence.proxy.async) after mbarrier.init, in the thread that makes it")
        });
    }
}

impl RaceDetector<'_> {
    /// What an instruction does to an mbarrier.
    pub(super) fn use_of_barrier(&self, pc: u32) -> &'static str {
        match self.prepared.kernel.code[pc as usize] {
            Inst::MbarrierTest { .. } => "wait",
            Inst::Mbarrier { op: MbarrierOp::Inval, .. } => "mbarrier.inval",
            _ => "arrival",
        }
    }

    /// A thread uses an mbarrier that another makes, perhaps later.
    #[cold]
    pub(super) fn report_early_use(
        &self,
        context: &WarpContext<'_>,
        (pc, me, what): (u32, u32, &'static str),
        (barrier, made): (BarrierId, Made),
        findings: &mut Findings,
    ) {
        let (element, number) = self.element(Space::Shared, barrier.block, barrier.offset);
        let first = self.site(pc, (context.block, me), what);
        let second = self.site(made.pc, (barrier.block, made.thread), "mbarrier.init");
        let case = Case::new(Code::UnorderedInit, first).with_second(Some(second));
        findings.add(case.with_object(number), || {
            Text::error(format!("this {what} uses {element}, and nothing orders the mbarrier.init of another thread before it"))
                .with_help("put __syncthreads() between mbarrier.init and the first use by another thread")
        });
    }
}

fn verb(kind: AccessKind) -> &'static str {
    if kind == AccessKind::Load { "reads" } else { "writes" }
}
