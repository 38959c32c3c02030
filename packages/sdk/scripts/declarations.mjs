/**
 * The declarations of the package, beside what Vite built: of its entries and of whatever they name, once for
 * `import` (.d.ts) and once for `require` (.d.cts). Nothing in them leaves the package but React.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const ENTRIES = [
  'index.d.ts',
  'inbox.d.ts',
  'react/index.d.ts',
  'react/inbox/index.d.ts',
  'react/preferences/index.d.ts',
  'react/push-prompt.d.ts',
  'web-push/index.d.ts',
  'web-push/worker.d.ts',
  'testing/index.d.ts',
  'devtools/index.d.ts',
  'node/index.d.ts',
]
/** What a file names of others: from, import() and import for effect. */
const NAMES = /((?:from|import)\s*\(?\s*['"])(\.[^'"]+)(['"])/g
const STYLES = /^import '[^']+\.css';\n/gm

const made = mkdtempSync(join(tmpdir(), 'cf-declarations-'))
try {
  const project = join(ROOT, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [TSC, '-p', project, '--outDir', made], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  const out = join(ROOT, 'dist/types')
  rmSync(out, { recursive: true, force: true })
  const written = new Set()
  for (const entry of ENTRIES) write(join(made, entry), out, written)
  // Styles are imported for their effect alone; TypeScript asks for declarations all the same.
  for (const end of ['ts', 'cts']) writeFileSync(join(out, `react/styles.d.${end}`), 'export {}\n')
} finally {
  rmSync(made, { recursive: true, force: true })
}

function write(file, out, written) {
  if (written.has(file)) return
  written.add(file)
  const text = readFileSync(file, 'utf8').replace(STYLES, '')
  for (const [, , name = ''] of text.matchAll(NAMES)) write(join(dirname(file), name.replace(/\.tsx?$/, '.d.ts')), out, written)
  const target = join(out, relative(made, file))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(
    target,
    text.replace(NAMES, (_, before, name, after) => before + name.replace(/\.tsx?$/, '.js') + after),
  )
  const common = text.replace(NAMES, (_, before, name, after) => before + name.replace(/\.tsx?$/, '.cjs') + after)
  writeFileSync(target.replace(/\.d\.ts$/, '.d.cts'), common)
}
