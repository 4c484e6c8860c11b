// The review: what is due comes first, and how much there is. And all questions as a file for Anki.

import { isDue } from './boxes.js';
import { h, plural } from './html.js';
import * as memory from './remember.js';
import { printed, questions } from './quiz.js';

const page = document.querySelector('.cuda-review');

function show() {
    const { quiz } = memory.all();
    const known = questions.filter(({ key }) => quiz.has(key)).map(({ key }) => quiz.get(key));
    const due = known.filter((entry) => isDue(entry)).length;
    const parts = [`${plural(questions.length, 'question')}: ${known.length} answered, of which ${known.filter((entry) => entry.right).length} right the last time.`];
    const next = known.map((entry) => entry.due).sort()[0];
    if (due) parts.push(`Due today: ${due}.`);
    else if (next) parts.push(`Nothing is due until ${new Date(`${next}T12:00`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}.`);
    else parts.push('Nothing is due: answer the questions of a chapter first.');
    const trouble = memory.trouble();
    if (trouble) parts.push(trouble);
    page.querySelector('.cuda-sum').textContent = parts.join(' ');
}

/** Puts the questions that are due in front of the others. */
function gather() {
    const { quiz } = memory.all();
    const due = questions.filter(({ key }) => isDue(quiz.get(key)));
    // What was wrong comes first, then what has waited longest.
    const order = ({ key }) => `${quiz.get(key).box}${quiz.get(key).due}`;
    due.sort((a, b) => order(a).localeCompare(order(b)));
    const place = page.querySelector('.cuda-due');
    place.hidden = due.length === 0;
    place.append(...due.map(({ root }) => root));
}

/** A field of a tab-separated file, as HTML. */
const field = (html) => `"${html.replace(/\s*[\t\n]\s*/g, ' ').replaceAll('"', '""')}"`;

function card({ root, key, inputs, right, answer }) {
    const code = [...root.querySelectorAll('.cuda-source .cuda-line')].map((line) => h('i', {}, line.textContent).innerHTML);
    const listing = code.length ? `<pre>${code.map((line) => line.trimEnd()).join('<br>')}</pre>` : '';
    const options = inputs.map((input) => `<li>${input.parentElement.querySelector('span').innerHTML}</li>`).join('');
    const front = `<p>${root.querySelector('legend').innerHTML}</p>${listing}<ol type="A">${options}</ol>`;
    const letter = String.fromCharCode(65 + right);
    const back = `<p><b>${letter}. ${inputs[right].parentElement.querySelector('span').innerHTML}</b></p>${answer.querySelector('.cuda-because').innerHTML}`;
    return [key, front, back, `warp-by-warp::${key.split('/')[0]}`].map(field).join('\t');
}

function save() {
    const head = ['#separator:tab', '#html:true', '#guid column:1', '#tags column:4'];
    // In the book's order, wherever they stand now.
    const text = [...head, ...inOrder.map(card)].join('\n') + '\n';
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    h('a', { href: url, download: 'warp-by-warp-anki.txt' }).click();
    URL.revokeObjectURL(url);
    page.querySelector('.cuda-tools [role=status]').textContent = 'Saved as warp-by-warp-anki.txt: import it in Anki as notes of the type Basic.';
}

const inOrder = [...questions];
if (!printed) {
    page.querySelector('.cuda-tools').hidden = false;
    page.querySelector('[name=anki]').addEventListener('click', save);
    gather();
    show();
    document.addEventListener('cuda-answered', show);
    memory.watch(show);
}
