/**
 * Subjects of commits that the main branch of the remote does not have: `area: what changed`, at most 72 characters. Where there
 * is no such branch nothing is checked. Merges say `Merge …`. Commits from before this file last changed are judged by no rule that
 * they could not know.
 */
import { spawnSync } from 'node:child_process'

/** One area, in one word. */
const FORM = /^[a-z][a-z0-9-]*: \S/
const MOST = 72

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' })
if (git('rev-parse', '--verify', '--quiet', 'origin/main').status !== 0) process.exit(0)
const rule = git('log', '-1', '--format=%H', '--', 'scripts/commit-subjects.mjs').stdout.trim()
const { stdout } = git('log', '--no-merges', '--format=%h %s', 'HEAD', '^origin/main', ...(rule ? [`^${rule}`] : []))
const wrong = stdout.split('\n').filter((line) => {
  const subject = line.slice(line.indexOf(' ') + 1)
  return line !== '' && (!FORM.test(subject) || subject.length > MOST)
})
for (const line of wrong) process.stdout.write(`${line}\n  is not "area: what changed" in at most ${MOST} characters\n`)
process.exit(wrong.length === 0 ? 0 : 1)
