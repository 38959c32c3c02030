/**
 * A guide run as it stands: the commands of its `sh` blocks, in order, in one shell. The comment lines below commands
 * are what a reader sees then: each has to be found in what the commands print, `…` standing for anything.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { inTime, until } from '../harness/until.ts'

type Part = { commands: string; shown: string[] }

/** The blocks marked `sh`, cut where a reader is shown what came of the commands above. */
export function readGuide(markdown: string): Part[] {
  const parts: Part[] = []
  for (const [, block = ''] of markdown.matchAll(/^```sh\n([^]*?)^```$/gm)) {
    let part: Part = { commands: '', shown: [] }
    for (const line of block.split('\n')) {
      if (line.startsWith('#')) part.shown.push(line.slice(1).trim())
      else {
        if (part.shown.length > 0) {
          parts.push(part)
          part = { commands: '', shown: [] }
        }
        part.commands += `${line}\n`
      }
    }
    parts.push(part)
  }
  return parts.filter(({ commands, shown }) => commands.trim() !== '' || shown.length > 0)
}

/**
 * `blanks`: what a reader fills in for `NAME=…`. `replaced`: ports and addresses of this run in place of those of the
 * guide. Fails when a command fails, when an answer is a refusal whose code the guide does not name, and when what is
 * shown does not come.
 */
export async function runGuide(
  markdown: string,
  { cwd, env, blanks, replaced }: Adapted & { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const parts = readGuide(markdown)
  assert.ok(parts.length > 0, 'the guide has commands')
  const shell = openShell(cwd, env)
  try {
    for (const part of parts) await runPart(shell, part, { blanks, replaced })
  } finally {
    await shell.end()
  }
}

type Shell = ReturnType<typeof openShell>
type Adapted = { blanks: Record<string, string>; replaced: [string, string][] }

async function runPart(shell: Shell, { commands, shown }: Part, { blanks, replaced }: Adapted): Promise<void> {
  const adapt = (text: string) => replaced.reduce((before, [from, to]) => before.replaceAll(from, to), text)
  const filled = adapt(commands).replace(
    /\b([A-Z_]+)=…/g,
    (_, name: string) => `${name}='${blanks[name] ?? assert.fail(`${name} is not filled in`)}'`,
  )
  const output = await shell.run(filled)
  const about = () => `\n${filled}\n${output()}`
  assert.doesNotMatch(output(), /^failed: /m, about())
  for (const [answer] of output().matchAll(/\{"success":false.*/g)) {
    const code = /"code":"(\w+)"/.exec(answer)?.[1]
    assert.ok(code !== undefined && [commands, ...shown].some((text) => text.includes(code)), `refused:${about()}`)
  }
  for (const line of shown.map(adapt)) {
    const pattern = new RegExp(line.split('…').map(literal).join('.*?'))
    await until(`${line} is shown`, () => pattern.test(output()), about)
  }
}

/** `end` ends it with whatever it left running. */
function openShell(cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('bash', ['-Eu', '-o', 'pipefail'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdin.write(`trap 'echo "failed: $BASH_COMMAND"' ERR\n`)
  let count = 0
  return {
    /** Resolves when the commands are through; what runs behind them may go on printing. */
    run: async (commands: string): Promise<() => string> => {
      const from = printed.length
      const end = `-- through ${++count} --`
      // A command must not read the script.
      child.stdin.write(`{\n${commands}\n} </dev/null\necho '${end}'\n`)
      const isThrough = until(
        commands,
        () => printed.includes(end),
        () => printed.slice(from),
      )
      await inTime(commands, Promise.race([isThrough, closed.then(() => assert.fail(`the shell ended:\n${printed.slice(from)}`))]))
      return () => printed.slice(from)
    },
    end: async (): Promise<void> => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      await closed
    },
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
