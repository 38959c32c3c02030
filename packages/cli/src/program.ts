/** The commands and their options. Each command is implemented in a file of its own. */
import { BOUND_KINDS, CODE_KINDS } from '@contentflow/core/as-code/workspace-code.ts'
import { Command, CommanderError } from 'commander'
import { auditVerify } from './commands/audit.ts'
import { blocksDiff, blocksSync } from './commands/blocks.ts'
import { conformance } from './commands/conformance.ts'
import { doctor } from './commands/doctor.ts'
import { eventsCheck, eventsPull, eventsPush } from './commands/event-types.ts'
import { eventsTail } from './commands/events.ts'
import { experimentsList, experimentsShow } from './commands/experiments.ts'
import { explain } from './commands/explain.ts'
import { identitySign } from './commands/identity.ts'
import { importFile } from './commands/import.ts'
import { login } from './commands/login.ts'
import { reportsList, reportsRun } from './commands/reports.ts'
import { stringsPull, stringsPush, stringsStatus } from './commands/strings.ts'
import { types } from './commands/types.ts'
import { workspaceApply, workspaceExport, workspacePlan } from './commands/workspace.ts'
import { Problem, SAME, type Exit, type Io } from './io.ts'

declare const __VERSION__: string

/** Runs what `argv` (without the program itself) says; the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exit: Exit = SAME
  const program = makeProgram(io, (code) => {
    exit = code
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
    if (!(error instanceof Problem)) throw error
    const { message, code } = error
    const isJson = argv.includes('--json')
    io.err(isJson ? `${JSON.stringify({ error: message, ...(code && { code }) })}\n` : `${message}${code ? ` [${code}]` : ''}\n`)
    return 1
  }
}

function makeProgram(io: Io, end: (exit: Exit) => void): Command {
  const program = new Command('contentflow')
    .description('ContentFlow from a terminal or a pipeline')
    .version(__VERSION__)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .showHelpAfterError('(contentflow --help shows what there is)')
    .addHelpText('after', HELP)
  const add = (parent: Command, words: string, about: string, work: (io: Io, options: never, ...names: string[]) => Promise<Exit>) =>
    parent
      .command(words)
      .description(about)
      .option('--json', 'machine-readable output')
      .action(async (...given: unknown[]) => {
        // The options and the command itself come after the arguments.
        end(await work(io, given.at(-2) as never, ...(given.slice(0, -2) as string[])))
      })

  add(program, 'login', 'sign in and keep the session in ~/.contentflowrc', login).option(
    '--web',
    'in a browser: compare the code that is shown, without typing a password here',
  )
  add(program, 'doctor', 'say what works: address, clock, version, keys and what they may do', doctor)

  const blocks = program.command('blocks').description('block types, from a manifest')
  add(blocks, 'diff <manifest>', 'what a sync of this file would change; ends with 2 when anything', blocksDiff)
  add(blocks, 'sync <manifest>', 'declare exactly the block types of this file; others are archived', blocksSync).option(
    '--prune',
    'let an empty manifest archive everything',
  )

  const strings = program.command('strings').description('texts, from and to a file')
  add(strings, 'push <file>', 'send the texts of a JSON, YAML, CSV or TSV file', stringsPush)
  add(strings, 'pull <file>', 'write the texts there are to a JSON, YAML, CSV or TSV file; - is standard output', stringsPull)
  add(strings, 'status', 'how far each language is; ends with 2 when anything is not approved', stringsStatus).option(
    '--locale <code>',
    'only this language',
  )

  add(program, 'types', 'write code that knows your blocks, texts and events', types)
    .requiredOption('--lang <language>', 'ts, swift, kotlin or dart')
    .option('--out <file>', 'the file to write; otherwise it is printed')
    .option('--package <name>', 'package of the Kotlin file', 'contentflow')
    .option('--check', 'write nothing; end with 2 when the file is not up to date')

  add(program, 'import <file>', 'load a CSV about people: uploads, shows the dry run, asks, writes', importFile)
    .option('--mapping <file>', 'what the columns mean (JSON or YAML); otherwise it is suggested and shown')
    .option('--create-missing', 'make a person for each unknown user id')
    .option('--test', 'into the test environment')
    .option('--dry-run', 'stop behind the dry run')
    .option('-y, --yes', 'do not ask')

  const workspace = program.command('workspace').description('the workspace as one file, without keys, members and secrets')
  const only = ['--only <kinds>', `only these of ${CODE_KINDS.join(',')}`] as const
  add(workspace, 'export [file]', 'write it, as YAML or JSON', workspaceExport).option(...only)
  const prune = ['--prune <kinds>', `delete those of ${BOUND_KINDS.join(',')} that the file leaves out; else they stay`] as const
  add(workspace, 'plan <file>', 'what the file would change, and for whom; ends with 2 when anything', workspacePlan)
    .option(...only)
    .option(...prune)
  add(workspace, 'apply <file>', 'show the plan, ask, and do exactly that or nothing', workspaceApply)
    .option(...only)
    .option(...prune)
    .option('--planned <plan>', 'only if it is still this plan, and without asking')
    .option('-y, --yes', 'do not ask')

  const events = program.command('events').description('what happens, and which types of it are declared')
  add(events, 'push <file>', 'declare exactly the event types of a JSON or YAML file', eventsPush).option(
    '--dry-run',
    'only what would change; ends with 2 when anything',
  )
  add(events, 'pull <file>', 'write the declared event types to a JSON or YAML file; - is standard output', eventsPull)
  add(events, 'check', 'what apps send that is not declared, or not as declared; ends with 2 when anything', eventsCheck)
  add(events, 'tail', 'events of one device or person as they arrive', eventsTail)
    .option('--device <id>', 'of this device')
    .option('--user <id>', 'of this person')
    .option('--test', 'of the test environment')
    .option('--once', 'print what is there and end')

  const experiments = program.command('experiments').description('comparisons of variants, and what they say')
  add(experiments, 'list', 'every experiment with what it says', experimentsList)
  add(experiments, 'show <id>', 'one of them with its numbers', experimentsShow)

  const reports = program.command('reports').description('saved questions about what people do')
  add(reports, 'list', 'every report, by name', reportsList)
  add(reports, 'run <name>', 'the answer to one, as of now', reportsRun)
    .option('--csv', 'as a file for spreadsheets, on standard output')
    .option('--test', 'of the test environment')

  const identity = program.command('identity').description('who a person is, said by the server of the app')
  add(identity, 'sign', 'print a token for a person, for tests; your own server signs those of real people', identitySign)
    .requiredOption('--user <id>', 'the person')
    .option('--device <id>', 'only from this device')
    .option('--key <file>', 'a private key (PEM, P-256) whose public half the workspace has')
    .option('--secret <secret>', 'or the secret that the workspace showed once; otherwise CONTENTFLOW_IDENTITY_SECRET')
    .option('--workspace <id>', 'the workspace; otherwise CONTENTFLOW_WORKSPACE')
    .option('--kid <id>', 'the id of the key in the workspace; needed when there are several')
    .option('--minutes <n>', 'how long it holds', '60')

  const audit = program.command('audit').description('who did what in a workspace')
  add(audit, 'verify <file>', 'whether an exported audit log is what was written; ends with 2 when it is not', auditVerify).option(
    '--checkpoint <file>',
    'an earlier export, or its last line: what it was signed over has to stand in the file',
  )

  add(program, 'conformance', 'hold a server, a proxy or a client to the published client contract', conformance)
    .option('--base <url>', 'the server or proxy; otherwise CONTENTFLOW_URL')
    .option('--client <command>', 'a program in front of a client; no server is asked')
    .option('--only <words>', 'with --client: only checks with these words in their name')

  add(program, 'explain <block>', 'why a device gets a block, or does not', explain)
    .option('--device <id>', 'the device')
    .option('--test', 'with a test key')
  return program
}

const HELP = `
Credentials come from the environment or from ~/.contentflowrc, which login writes:
  CONTENTFLOW_URL         the server, for example http://127.0.0.1:8080
  CONTENTFLOW_WRITE_KEY   blocks, strings, types, events push, pull and check
  CONTENTFLOW_KEY         doctor, conformance
  CONTENTFLOW_TOKEN       of a service account; or of a person, with CONTENTFLOW_WORKSPACE; or instead of it
  CONTENTFLOW_EMAIL and CONTENTFLOW_PASSWORD:
                          import, workspace, events tail, experiments, reports, explain

Exit codes: 0 the same or done, 2 differs, 1 an error.
`
