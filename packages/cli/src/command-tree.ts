/**
 * The commands, their arguments and options: what is parsed, what `--help` prints, what a shell completes and what
 * `docs/command-line.md` lists are all read from here. Each command is implemented in a file of its own.
 */
import { BOUND_KINDS, CODE_KINDS } from '@contentflow/core/as-code/workspace-code.ts'
import { TYPE_LANGUAGES } from '@contentflow/core/schemas/project-file.ts'
import { SCHEMA_NAMES } from '@contentflow/core/schemas/schemas.ts'
import { Argument, Command, Option } from 'commander'
import { auditVerify } from './commands/audit.ts'
import { blocksDiff, blocksSync } from './commands/blocks.ts'
import { completeIn, completion } from './commands/completion.ts'
import { conformance } from './commands/conformance.ts'
import { dev } from './commands/dev.ts'
import { doctor } from './commands/doctor.ts'
import { eventsCheck, eventsPull, eventsPush } from './commands/event-types.ts'
import { eventsTail } from './commands/events.ts'
import { experimentsList, experimentsShow } from './commands/experiments.ts'
import { explain } from './commands/explain.ts'
import { identitySign } from './commands/identity.ts'
import { importFile } from './commands/import.ts'
import { init } from './commands/init.ts'
import { login } from './commands/login.ts'
import { reportsList, reportsRun } from './commands/reports.ts'
import { schema } from './commands/schema.ts'
import { stringsPull, stringsPush, stringsStatus } from './commands/strings.ts'
import { stringsDiff } from './commands/strings-diff.ts'
import { types } from './commands/types.ts'
import { workspaceDiff } from './commands/workspace-diff.ts'
import { workspaceApply, workspaceExport, workspacePlan } from './commands/workspace.ts'
import { SHELLS } from './completion/scripts.ts'
import type { Exit, Io } from './io.ts'

/** `names`: the arguments as they were typed; one that may be left out is undefined then. */
type Work = (io: Io, options: never, ...names: never[]) => Promise<Exit>
type Act = (work: (io: Io, options: object, ...names: string[]) => Promise<Exit>, names: string[], options: object) => Promise<void>
type Add = (parent: Command, words: string, about: string, work: Work, how?: { hidden: boolean }) => Command

/** The whole tree. `act` is called with the command that was typed. */
export function makeTree(act: Act): Command {
  const program = new Command('contentflow')
    .description('ContentFlow from a terminal or a pipeline')
    .showHelpAfterError('(contentflow --help shows what there is)')
    .addHelpText('after', HELP)
  const add: Add = (parent, words, about, work, how) =>
    parent
      .command(words, how)
      .description(about)
      .option('--json', 'machine-readable output')
      .action(async (...given: unknown[]) => {
        // The options and the command itself come after the arguments.
        await act(work as never, given.slice(0, -2) as string[], given.at(-2) as object)
      })
  addBeginnings(program, add)
  addContent(program, add)
  addWorkspace(program, add)
  addEvents(program, add)
  addAnswers(program, add)
  addTrust(program, add)
  addShell(program, add)
  return program
}

function addBeginnings(program: Command, add: Add): void {
  add(program, 'init', 'write contentflow.json: where the server is, and which files of this project are which', init)
    .option('--server <url>', 'the address of the server')
    .option('--workspace <id>', 'the workspace')
    .option('--manifest <file>', 'the manifest of block types')
    .option('--texts <file>', 'the file of texts')
    .option('--events <file>', 'the declared event types')
    .option('--document <file>', 'the workspace as one document')
    .addOption(choice('--lang <language>', 'the language of typed code', TYPE_LANGUAGES))
    .option('--out <file>', 'the file of typed code')
    .option('--force', 'overwrite the file that is there')
    .option('-y, --yes', 'do not ask')
  add(program, 'login', 'sign in and keep the session in ~/.contentflowrc', login)
    .option('--web', 'in a browser: compare the code that is shown, without typing a password here')
    .option('--token', 'with an API token, which is asked for or read from standard input')
  add(program, 'dev', 'send the files of the project to its test environment whenever they change, until Ctrl-C', dev)
  add(program, 'doctor', 'say what works: address, clock, version, keys and what they may do', doctor)
}

function addContent(program: Command, add: Add): void {
  const blocks = program.command('blocks').description('block types, from a manifest')
  add(blocks, 'diff [manifest]', 'what a sync of this file would change; ends with 2 when anything', blocksDiff)
  add(blocks, 'sync [manifest]', 'declare exactly the block types of this file; others are archived', blocksSync).option(
    '--prune',
    'let an empty manifest archive everything',
  )
  const strings = program.command('strings').description('texts, from and to a file')
  add(strings, 'diff [file]', 'what a push of this file would change; ends with 2 when anything', stringsDiff)
  add(strings, 'push [file]', 'send the texts of a JSON, YAML, CSV or TSV file', stringsPush)
  add(strings, 'pull [file]', 'write the texts there are to a JSON, YAML, CSV or TSV file; - is standard output', stringsPull)
  add(strings, 'status', 'how far each language is; ends with 2 when anything is not approved', stringsStatus).option(
    '--locale <code>',
    'only this language',
  )
  add(program, 'types', 'write code that knows your blocks, texts and events', types)
    .addOption(choice('--lang <language>', 'the language; otherwise everything that the project file lists', TYPE_LANGUAGES))
    .option('--out <file>', 'the file to write; otherwise it is printed')
    .option('--package <name>', 'package of the Kotlin file (default: "contentflow")')
    .option('--check', 'write nothing; end with 2 when the file is not up to date')
  add(program, 'import <file>', 'load a CSV about people: uploads, shows the dry run, asks, writes', importFile)
    .option('--mapping <file>', 'what the columns mean (JSON or YAML); otherwise it is suggested and shown')
    .option('--create-missing', 'make a person for each unknown user id')
    .option('--test', 'into the test environment')
    .option('--dry-run', 'stop behind the dry run')
    .option('-y, --yes', 'do not ask')
}

function addWorkspace(program: Command, add: Add): void {
  const workspace = program.command('workspace').description('the workspace as one file, without keys, members and secrets')
  const only = () => choice('--only <kinds>', 'only these kinds, with commas between them', CODE_KINDS)
  const prune = () => choice('--prune <kinds>', 'delete those of these kinds that the file leaves out; else they stay', BOUND_KINDS)
  add(workspace, 'export [file]', 'write it, as YAML or JSON', workspaceExport).addOption(only())
  add(
    workspace,
    'diff [file]',
    'what the file would change, with values before and after; ends with 2 when anything',
    workspaceDiff,
  ).addOption(only())
  add(workspace, 'plan [file]', 'what the file would change, and for whom; ends with 2 when anything', workspacePlan)
    .addOption(only())
    .addOption(prune())
  add(workspace, 'apply [file]', 'show the plan, ask, and do exactly that or nothing', workspaceApply)
    .addOption(only())
    .addOption(prune())
    .option('--planned <plan>', 'only if it is still this plan, and without asking')
    .option('-y, --yes', 'do not ask')
}

function addEvents(program: Command, add: Add): void {
  const events = program.command('events').description('what happens, and which types of it are declared')
  add(events, 'push [file]', 'declare exactly the event types of a JSON or YAML file', eventsPush).option(
    '--dry-run',
    'only what would change; ends with 2 when anything',
  )
  add(events, 'pull [file]', 'write the declared event types to a JSON or YAML file; - is standard output', eventsPull)
  add(events, 'check', 'what apps send that is not declared, or not as declared; ends with 2 when anything', eventsCheck)
  add(events, 'tail', 'events of one device or person as they arrive', eventsTail)
    .option('--device <id>', 'of this device')
    .option('--user <id>', 'of this person')
    .option('--test', 'of the test environment')
    .option('--once', 'print what is there and end')
}

function addAnswers(program: Command, add: Add): void {
  const experiments = program.command('experiments').description('comparisons of variants, and what they say')
  add(experiments, 'list', 'every experiment with what it says', experimentsList)
  add(experiments, 'show <id>', 'one of them with its numbers', experimentsShow)
  const reports = program.command('reports').description('saved questions about what people do')
  add(reports, 'list', 'every report, by name', reportsList)
  add(reports, 'run <name>', 'the answer to one, as of now', reportsRun)
    .option('--csv', 'as a file for spreadsheets, on standard output')
    .option('--test', 'of the test environment')
  add(program, 'explain <block>', 'why a device gets a block, or does not', explain)
    .option('--device <id>', 'the device')
    .option('--test', 'with a test key')
}

function addTrust(program: Command, add: Add): void {
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
}

function addShell(program: Command, add: Add): void {
  add(program, 'schema', 'print the JSON schema of a file, for editors; without a name, say which there are', schema).addArgument(
    choiceArgument('[name]', 'of which file', SCHEMA_NAMES),
  )
  add(program, 'completion', 'print what your shell runs once to complete commands', completion).addArgument(
    choiceArgument('<shell>', 'which shell', SHELLS),
  )
  add(program, 'complete [words...]', 'asked by the shell at each Tab', completeIn(program), { hidden: true })
}

/** An option of one of these values, for help and completion; the command itself refuses others, in its own words. */
function choice(flags: string, about: string, values: readonly string[]): Option {
  const option = new Option(flags, about)
  option.argChoices = [...values]
  return option
}

/** The same for an argument. */
function choiceArgument(name: string, about: string, values: readonly string[]): Argument {
  const argument = new Argument(name, about)
  argument.argChoices = [...values]
  return argument
}

const HELP = `
Credentials come from the environment or from ~/.contentflowrc, which login writes:
  CONTENTFLOW_URL         the server, for example http://127.0.0.1:8080
  CONTENTFLOW_WRITE_KEY   blocks, strings, types, events push, pull and check
  CONTENTFLOW_KEY         doctor, conformance
  CONTENTFLOW_TOKEN       of a service account; or of a person, with CONTENTFLOW_WORKSPACE:
                          import, workspace, events tail, experiments, reports, explain
                          (CONTENTFLOW_EMAIL and CONTENTFLOW_PASSWORD in its place)

Files, the server and the workspace may stand in contentflow.json, which init writes. Options and arguments
count first, then the environment, then contentflow.json, then ~/.contentflowrc.

Exit codes: 0 the same or done, 2 differs, 1 an error. With --json an error is {"error", "code"} on standard error.
`
