// Reads lines of transcripts and prints what a grammar checker finds wrong with them.
//
//   node lint.js CHECKER LINES…
//
// CHECKER is where harper.js is installed. Each of LINES is a file of scene folder, tab, transcript. Words that stand in the
// scene's own files are spelt right: they are the author's. More than one finding in a thousand lines is an error.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [checker, listing] = process.argv.slice(2);
const MOST_PER_LINE = 1 / 1000;

// Matters of taste, on which characters may differ: "very good", a comma before the last "and".
const TASTE = new Set(['Style', 'Enhancement', 'WordChoice', 'Readability', 'Regionalism', 'Miscellaneous']);

const load = (file) => import(pathToFileURL(join(checker, 'node_modules/harper.js/dist', file)).href);
const { LocalLinter, Dialect } = await load('index.js');
const { binaryInlined } = await load('binaryInlined.js');
const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.British });
await linter.setup();

/** All words of the text files below a folder. */
function wordsBelow(folder) {
    const words = new Set();
    for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) wordsBelow(path).forEach((word) => words.add(word));
        if (!/\.(md|json)$/.test(name)) continue;
        for (const word of readFileSync(path, 'utf8').match(/\p{L}+/gu) ?? []) words.add(word.toLowerCase());
    }
    return words;
}

const known = new Map();
const spoken = new Map();
for (const row of readFileSync(listing, 'utf8').split('\n').filter(Boolean)) {
    const [folder, transcript] = row.split('\t');
    if (!known.has(folder)) known.set(folder, wordsBelow(folder));
    for (const line of readFileSync(transcript, 'utf8').split('\n')) {
        const said = line.match(/^[^[]+ \[[^\]]*\] "(.*)"$/)?.[1];
        if (said) spoken.set(said, folder);
    }
}

let findings = 0;
for (const [said, folder] of spoken) {
    const own = (word) => (word.match(/\p{L}+/gu) ?? []).every((part) => part === 's' || known.get(folder).has(part.toLowerCase()));
    for (const found of await linter.lint(said)) {
        const kind = found.lint_kind();
        const text = found.get_problem_text();
        if (TASTE.has(kind) || (['Spelling', 'Capitalization'].includes(kind) && own(text))) continue;
        findings += 1;
        console.log(`${kind}: "${text}" in "${said}" (${folder}): ${found.message()}`);
    }
}
console.log(`${spoken.size} lines, ${findings} findings`);
// A thousand lines may have one; fewer may have one too.
process.exit(spoken.size > 0 && findings <= Math.max(1, spoken.size * MOST_PER_LINE) ? 0 : 1);
