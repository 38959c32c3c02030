/**
 * Programs that some tests need and that npm does not bring, with the Debian package that has each. Installs what is missing
 * where it may: as root, or with a sudo that asks for no password. `node scripts/tools.mjs` does so for all, or for the packages
 * it is told, and fails when one stays missing. Plain JavaScript for the oldest Node that npm itself runs on.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const KUBERNETES = 'packages/server/test/project/kubernetes.test.ts'
/** Where Debian puts this library of Go. */
const SPRIG = '/usr/share/gocode/src/github.com/Masterminds/sprig'

/** `programs`: any of them; a path of its own for a library. `files`: the tests that need it; `helper`: so do those that import this, directly or by others. Without either it is only for `.ci/run`. */
export const TOOLS = [
  {
    package: 'chromium-headless-shell',
    programs: ['chromium-headless-shell', 'chromium'],
    helper: 'packages/server/test/harness/chromium.ts',
  },
  { package: 'prometheus', programs: ['promtool'], files: ['packages/server/test/project/alerts.test.ts'] },
  { package: 'golang-go', programs: ['go'], files: [KUBERNETES] },
  { package: 'golang-github-masterminds-sprig-dev', programs: [SPRIG], files: [KUBERNETES] },
  { package: 'kubernetes-client', programs: ['kubectl'], files: [KUBERNETES] },
  { package: 'kotlin', programs: ['kotlinc'], files: ['packages/cli/test/kotlin.test.ts'] },
  { package: 'curl', programs: ['curl'], files: ['packages/server/test/project/guides.test.ts'] },
  {
    package: 'unzip',
    programs: ['unzip'],
    files: ['packages/server/src/infra/files/zip-stream.test.ts'],
    helper: 'packages/server/test/builders/person-files.ts',
  },
  { package: 'redis-server', programs: ['redis-server'], files: ['packages/server/src/infra/kv-frozen.test.ts'] },
  { package: 'postgresql', programs: ['initdb'] },
]

const POSTGRES = '/usr/lib/postgresql'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  const missing = bringTools(TOOLS.filter((tool) => names.length === 0 || names.includes(tool.package)))
  for (const tool of missing) process.stderr.write(`${tool.programs[0]} is missing: apt-get install -y ${tool.package}\n`)
  process.exitCode = missing.length === 0 ? 0 : 1
}

/** Those of these tools that are still missing when everything has been installed that may be. */
export function bringTools(tools) {
  const missing = tools.filter(isMissing)
  if (missing.length === 0) return missing
  const packages = missing.map((tool) => tool.package)
  process.stdout.write(`Installing ${packages.join(', ')}\n`)
  // Each by itself: a package that this machine's lists do not have must not keep out the others.
  if (asRoot(['update', '-qq'])) for (const name of packages) asRoot(['install', '-y', '-qq', name])
  return missing.filter(isMissing)
}

function isMissing({ programs }) {
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...postgresFolders()]
  return !programs.some((program) => (program.startsWith('/') ? [''] : folders).some((folder) => existsSync(join(folder, program))))
}

function postgresFolders() {
  return existsSync(POSTGRES) ? readdirSync(POSTGRES).map((version) => join(POSTGRES, version, 'bin')) : []
}

/** Whether apt-get was there, allowed, and did it. */
function asRoot(args) {
  const isRoot = process.getuid?.() === 0
  const [command, ...rest] = isRoot ? ['apt-get', ...args] : ['sudo', '-n', 'apt-get', ...args]
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'ignore'], env }).status === 0
}
