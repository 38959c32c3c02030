/** Runs test files in processes, some at a time; prints a dot for each that passes and everything that a failing one said. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A process that takes longer than this hangs: for its first file, and for each more; as often as it has `patience`. */
const [LIMIT_MS, LIMIT_MORE_MS] = [600_000, 150_000]

const TOGETHER = 'scripts/run-together.mjs'
const PASSED_FILES = '--test-reporter=./scripts/passed-files.mjs'

/** Of a hook outside of all tests that fails, Node's runner says so and ends with 0 all the same. */
const HOOK_FAILED = /^(✖ failing tests|Failed tests):$/m

/**
 * What failed, in the order it failed in, as runs of one file each; a run is a process for its `files`. How long it took stands
 * on it as `tookMs`. CF_TEST_REPORTER=spec prints what every file says, with the names of its tests.
 */
export async function runFiles(runs, { workers, patience = 1, signal, envOf, nameOf }) {
  const reporter = process.env['CF_TEST_REPORTER']
  const folder = mkdtempSync(join(tmpdir(), 'contentflow-tests-'))
  const failed = []
  const queue = [...runs.entries()]
  const work = async () => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      const [index, run] = next
      const said = join(folder, String(index))
      const started = Date.now()
      const ended = await runTogether(run.files, { reporter: reporter ?? 'dot', patience, said, signal, env: envOf(run) })
      if (signal.aborted) break
      const fault = ended ?? (HOOK_FAILED.test(readFileSync(said, 'utf8')) ? 'a hook outside of all tests' : undefined)
      if (fault) failed.push(...(run.files.length > 1 ? failedAmong(run.files, said).map((file) => ({ ...run, files: [file] })) : [run]))
      run.tookMs = Date.now() - started
      const took = `${(run.tookMs / 1000).toFixed(1)} s`
      if (fault) process.stdout.write(`\n\n== FAILED ${nameOf(run)} (${fault}, ${took})\n${readFileSync(said, 'utf8')}\n`)
      else process.stdout.write(reporter ? `\n== ${nameOf(run)} (${took})\n${readFileSync(said, 'utf8')}` : '.')
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  rmSync(folder, { recursive: true, force: true })
  return failed
}

/** Those that did not pass, also because the process ended before; all when it failed behind them. */
function failedAmong(files, said) {
  const passed = existsSync(`${said}-passed`) ? readFileSync(`${said}-passed`, 'utf8').split('\n') : []
  const failed = files.filter((file) => !passed.includes(file))
  return failed.length > 0 ? failed : files
}

/** Undefined when it passes. Writes to a file, not to a pipe: whatever it leaves running could keep a pipe open. */
function runTogether(files, { reporter, patience, said, signal, env }) {
  const output = openSync(said, 'w')
  const program =
    files.length > 1
      ? ['--test-reporter-destination=stdout', PASSED_FILES, `--test-reporter-destination=${said}-passed`, TOGETHER, ...files]
      : files
  return new Promise((resolve) => {
    const child = spawn('node', [`--test-reporter=${reporter}`, ...program], { stdio: ['ignore', output, output], env, signal })
    const timer = setTimeout(() => child.kill('SIGKILL'), patience * (LIMIT_MS + (files.length - 1) * LIMIT_MORE_MS))
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, killedBy) => {
      clearTimeout(timer)
      resolve(code === 0 ? undefined : code === null ? `ended by ${killedBy}` : `exit code ${code}`)
    })
  }).finally(() => closeSync(output))
}
