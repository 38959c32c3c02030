/** The embedded database belongs to one process: a second is sent away with a word why, and a dead owner is replaced. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lockFolder } from '../../src/db/folder-lock.ts'
import { spawnServer, started, type ServerProcess } from '../harness/server-process.ts'

const running: ServerProcess[] = []
const folders: string[] = []
after(async () => {
  for (const server of running) server.kill('SIGKILL')
  await Promise.all(running.map((server) => server.exit))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cf-lock-'))
  folders.push(folder)
  return folder
}

/** A folder with a database in it, made when there is no template to copy. */
function makeDataFolder(): string {
  const folder = makeFolder()
  const template = process.env['CF_TEST_TEMPLATE']
  if (template && existsSync(join(template, 'pg'))) cpSync(join(template, 'pg'), join(folder, 'pg'), { recursive: true })
  return folder
}

function spawnOn(folder: string): ServerProcess {
  const server = spawnServer({ CF_DATA_DIR: folder })
  running.push(server)
  return server
}

const lockOf = (folder: string) => join(folder, 'contentflow.lock')

test('a second process is refused with a message that names the first, which goes on serving; a clean end gives the folder back', async () => {
  const folder = makeDataFolder()
  const first = spawnOn(folder)
  const url = await started(first)
  const second = spawnOn(folder)
  assert.equal(await second.ready, undefined)
  assert.deepEqual(await second.exit, { code: 1, signal: null })
  assert.match(second.output(), new RegExp(`in use by process ${first.pid}\\b`))
  assert.ok(second.output().includes(folder))
  assert.match(second.output(), /DATABASE_URL/)
  assert.doesNotMatch(second.output(), /\n\s+at /, 'a message, not a stack')
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  assert.equal(JSON.parse(readFileSync(lockOf(folder), 'utf8')).pid, first.pid)
  first.kill('SIGTERM')
  assert.equal((await first.exit).code, 0)
  assert.equal(existsSync(lockOf(folder)), false)
  const third = spawnOn(folder)
  assert.equal((await fetch(`${await started(third)}/readyz`)).status, 200)
  third.kill('SIGINT')
  assert.equal((await third.exit).code, 0)
})

test('the lock of a killed process is taken over, by exactly one of those that come at the same time', async () => {
  const folder = makeDataFolder()
  const dead = spawnOn(folder)
  await started(dead)
  dead.kill('SIGKILL')
  await dead.exit
  assert.ok(existsSync(lockOf(folder)), 'a killed process leaves its lock')
  const heirs = [spawnOn(folder), spawnOn(folder), spawnOn(folder)]
  const addresses = await Promise.all(heirs.map((server) => server.ready))
  const winners = heirs.filter((_, index) => addresses[index] !== undefined)
  assert.equal(winners.length, 1, heirs.map((server) => server.output()).join('\n---\n'))
  for (const loser of heirs.filter((server) => !winners.includes(server))) {
    assert.equal((await loser.exit).code, 1)
    assert.match(loser.output(), /data folder/)
  }
  assert.equal((await fetch(`${addresses.find((address) => address !== undefined)}/readyz`)).status, 200)
  winners[0]?.kill('SIGTERM')
  assert.equal((await winners[0]?.exit)?.code, 0)
})

/** A lock as another machine would have written it; `age` in seconds. */
function writeForeignLock(folder: string, text: string, age: number): void {
  writeFileSync(lockOf(folder), text)
  const when = new Date(Date.now() - age * 1000)
  utimesSync(lockOf(folder), when, when)
}
const FOREIGN = JSON.stringify({ pid: 1, startedAt: '5', boot: 'another-boot', host: 'another-host' })

test('a lock of another machine is taken over when it is not renewed, and respected while it is', async () => {
  const [old, silent, renewed, half] = [makeFolder(), makeFolder(), makeFolder(), makeFolder()]
  writeForeignLock(old, FOREIGN, 3_600)
  writeForeignLock(half, '{"pid":', 3_600)
  writeForeignLock(silent, FOREIGN, 0)
  writeForeignLock(renewed, FOREIGN, 0)
  const renewal = setInterval(() => utimesSync(lockOf(renewed), new Date(), new Date()), 1_000)
  try {
    const outcomes = await Promise.allSettled([old, half, silent, renewed].map((folder) => lockFolder(folder)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    )
    const refusal = outcomes[3]
    assert.match(String(refusal?.status === 'rejected' && refusal.reason), /in use by process 1 on another-host/)
    assert.equal(readFileSync(lockOf(renewed), 'utf8'), FOREIGN)
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status !== 'fulfilled') continue
      const folder = [old, half, silent][index] ?? ''
      assert.equal(JSON.parse(readFileSync(lockOf(folder), 'utf8')).pid, process.pid)
      outcome.value()
      assert.equal(existsSync(lockOf(folder)), false)
    }
  } finally {
    clearInterval(renewal)
  }
})

test('a lock whose process id lives on as another process is stale: the start time tells them apart', async () => {
  const folder = makeFolder()
  const unlock = await lockFolder(folder)
  const own = JSON.parse(readFileSync(lockOf(folder), 'utf8'))
  await assert.rejects(lockFolder(folder), /in use by process/)
  unlock()
  writeFileSync(lockOf(folder), JSON.stringify({ ...own, startedAt: '1' }))
  const again = await lockFolder(folder)
  assert.deepEqual({ ...JSON.parse(readFileSync(lockOf(folder), 'utf8')), token: own.token }, own)
  again()
})
