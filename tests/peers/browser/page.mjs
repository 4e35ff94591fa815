// Looks at the page of a run in Chromium, answers its questions and interrupts it.
// Usage: node page.mjs URL CHROMIUM [--screenshots FOLDER]
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [url, executablePath, , folder] = process.argv.slice(2);
const step = (what) => console.log(what);

const browser = await chromium.launch({
  executablePath,
  // Nothing but loopback can be reached, whatever the browser would like to fetch.
  args: ['--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
});

/** A window of this width, in which any complaint of the browser is an error. */
async function open(width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) complaints.push(request.url());
  });
  await page.goto(url);
  return { page, complaints };
}

/** Checks that nothing sticks out at the side. */
async function fits(page) {
  const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(needed <= given, `${needed} pixels for ${given}`);
}

/** Saves a picture of the whole page, as a window shows it that is high enough. */
async function picture(page, name) {
  if (!folder) return;
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...size, height });
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.setViewportSize(size);
}

const { page, complaints } = await open(1280, 'light');
const talk = page.locator('#talk');
const shows = (text) => talk.getByText(text, { exact: true }).first().waitFor();
const question = (file) => talk.locator('.question:not(.over)').filter({ hasText: file });
const call = (file) => talk.locator('.call').filter({ hasText: file });

step('a turn with two calls');
await shows('How many words has "a function is a tool"? Add 37 to that.');
await shows('I count first, and then I add.');
await shows('Five words, and 37 more are 42.');
const add = talk.locator('.call').filter({ hasText: 'calc / add' });
assert.match(await add.innerText(), /a\s+5\s+b\s+37\s+42$/);
assert.match(await page.locator('#cost').innerText(), /scripted\s+\d+\s+\d+\s+\$0\.\d{4}/);
assert.deepEqual(
  (await page.locator('.lane span').allInnerTexts()).slice(0, 2),
  ['count_words a function is a tool', 'add'],
);

step('a long result has a height of its own');
const list = talk.locator('.call').filter({ hasText: 'files / list' });
const height = async () => (await list.boundingBox()).height;
const short = await height();
await list.getByRole('button', { name: 'Show all (41 lines)' }).click();
assert(await height() > 2 * short);
await list.getByRole('button', { name: 'Show less' }).click();
assert.equal(await height(), short);

step('reloading loses nothing and doubles nothing');
await question('old.log').waitFor();
assert.equal(await page.locator('#state').innerText(), 'Waiting for you');
assert.equal(await page.title(), '(1) Agent run');
const before = await talk.innerText();
await page.reload();
await question('old.log').waitFor();
assert.equal(await talk.innerText(), before);
await picture(page, 'wide');

step('texts are made safe as at the terminal');
const cases = new URL('../../../sdk/src/agent/view/plain/tests/cases.json', import.meta.url);
const texts = JSON.parse(readFileSync(cases, 'utf8'));
const made = await page.evaluate((texts) => texts.map(([said]) => [said, plain(said)]), texts);
assert.deepEqual(made, texts);

step('lines stay lines');
const lines = await page.evaluate(() => {
  const notice = on.notice({ text: 'a\nb  c' });
  const shown = notice.innerText;
  notice.remove();
  return shown;
});
assert.equal(lines, 'a\nb  c');

step('a second and narrow window shows the same');
const narrow = await open(400, 'dark');
await narrow.page.locator('.question:not(.over)').waitFor();
assert.equal((await narrow.page.locator('#talk').innerText()).replace(/\s+/g, ' '), before.replace(/\s+/g, ' '));
await picture(narrow.page, 'narrow');

step('allow');
assert.equal(await question('old.log').locator('button.first').innerText(), 'Allow');
await question('old.log').getByRole('button', { name: 'Allow', exact: true }).click();
await call('old.log').getByText('old.log is gone').waitFor();
await narrow.page.getByText('old.log is gone').waitFor();

step('an answer that does not arrive');
await narrow.page.evaluate(() => { [window.fetch, window.real] = [async () => ({ status: 413 }), window.fetch]; });
const lost = narrow.page.locator('.question:not(.over)').filter({ hasText: 'notes.md' });
await lost.getByRole('button', { name: 'Deny' }).click();
await lost.getByText('The answer is too long.').waitFor();
await narrow.page.evaluate(() => { window.fetch = async () => { throw new TypeError('no network'); }; });
await lost.getByRole('button', { name: 'Deny' }).click();
await lost.getByText('The answer has not arrived. Try again.').waitFor();
await narrow.page.getByRole('button', { name: 'Interrupt' }).click();
await narrow.page.locator('#stop:enabled', { hasText: /^Interrupt$/ }).waitFor();
await narrow.page.evaluate(() => { window.fetch = window.real; });

step('deny');
await question('notes.md').getByRole('button', { name: 'Deny' }).click();
await call('notes.md').getByText('the user does not want this', { exact: true }).waitFor();

step('deny by the keyboard, with a reason');
await question('todo.md').waitFor();
assert.equal(await question('todo.md').locator('button.first').innerText(), 'Deny');
await page.locator('header').getByRole('button', { name: 'Answer' }).press('Enter');
// Whoever presses the key too long has permitted nothing.
await page.keyboard.press('Enter');
for (const _ of [1, 2, 3, 4]) await page.keyboard.press('Tab');
await page.keyboard.type('Read it first');
await page.keyboard.press('Enter');
await call('todo.md').getByText('but says: Read it first').waitFor();

step('always allow');
await question('lock').getByText('Always in this session: mcp__files__delete').waitFor();
await question('lock').getByRole('button', { name: 'Always in this session' }).click();
await call('lock').getByText('lock is in use').waitFor();
assert.match(await call('lock').getAttribute('class'), /error/);
await call('cache').getByText('cache is gone').waitFor();

step('the questions of the model, in the narrow window');
const asked = narrow.page.locator('.question:not(.over)');
await asked.getByText('Which files may go too?').waitFor();
await asked.getByLabel('Logs').check();
await asked.getByLabel('Caches').check();
await asked.getByLabel('Another answer').nth(0).fill('Notes');
await asked.getByLabel('Nothing').check();
await asked.getByLabel('Another answer').nth(1).fill('Tests');
assert(!await asked.getByLabel('Nothing').isChecked());
await asked.getByLabel('Build').check();
await picture(narrow.page, 'questions');
await fits(narrow.page);
await asked.getByRole('button', { name: 'Answer' }).click();
await shows('That is all.');
await talk.getByText('The user answered: ').waitFor();

step('a number that JavaScript would round');
const skip = talk.locator('.call').filter({ hasText: 'calc / skip' });
assert.match(await skip.innerText(), /to\s+9007199254740993\s+9007199254740993$/);

step('interrupt');
await shows('I wait.');
await page.getByRole('button', { name: 'Interrupt' }).click();
await page.locator('body.failed').waitFor();
assert.equal(await page.locator('#state').innerText(), 'Interrupted');
assert(await page.getByRole('button', { name: 'Interrupt' }).isDisabled());
assert.equal(await talk.getByText('answered', { exact: true }).count(), 1);
assert.equal(await talk.locator('.question').count(), 5);
assert.equal(await talk.locator('.question:not(.over)').count(), 0);
assert.equal(await talk.locator('.end').count(), 3);
await picture(page, 'end');
await fits(page);

step('without the token nobody comes in');
const wrong = await browser.newPage();
const status = async (address) => (await wrong.goto(address)).status();
assert.equal(await status(url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))), 401);
assert.equal(await status(new URL(url).origin), 401);

assert.deepEqual([...complaints, ...narrow.complaints], []);
await browser.close();
console.log('all is well');
