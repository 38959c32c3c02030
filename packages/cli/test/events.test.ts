/** Declared types of events as a file: pushed, pulled, and held against what apps send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { track } from '../../server/test/builders/events.ts'
import { identify } from '../../server/test/builders/people.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder } from './cli.ts'

const { workspace, operator, url } = await startApp()

const FILE = {
  types: [
    { name: 'cart_left', description: 'A cart was left' },
    { name: 'order_completed', properties: { total: { kind: 'number', required: true } } },
  ],
}

test('a file is pushed as it is, pulled unchanged, and says what it would change', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  folder.write('events.json', FILE)
  const planned = expectExit(await folder.run(['events', 'push', 'events.json', '--dry-run']), 2)
  assert.equal(planned.out, '+ cart_left\n+ order_completed\n2 created, 0 changed, 0 undeclared, 0 unchanged\n')
  assert.equal(expectExit(await folder.run(['events', 'push', 'events.json']), 0).out, planned.out)
  expectExit(await folder.run(['events', 'push', 'events.json', '--dry-run']), 0)
  for (const file of ['pulled.json', 'pulled.yaml']) {
    assert.equal(expectExit(await folder.run(['events', 'pull', file]), 0).out, `2 event types in ${file}\n`)
    const repeat = expectExit(await folder.run(['events', 'push', file, '--json']), 0).out
    assert.deepEqual(JSON.parse(repeat), { created: [], changed: [], unchanged: ['cart_left', 'order_completed'], undeclared: [] })
  }
  assert.deepEqual(JSON.parse(folder.read('pulled.json')), FILE)
  folder.write('wrong.json', { types: [{ name: 'a', properties: { b: { kind: 'text' } } }] })
  assert.match(
    expectExit(await folder.run(['events', 'push', 'wrong.json']), 1).err,
    /wrong\.json: types\[0\]: properties\.b\.kind must be one of/,
  )
})

test('check ends with 2 when apps send what is not declared, or not as it is', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  folder.write('events.json', FILE)
  expectExit(await folder.run(['events', 'push', 'events.json']), 0)
  await identify(ws.app, 'D')
  await track(ws.app, 'D', [{ type: 'order_completed', properties: { total: 12 } }, { type: 'impression' }])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'event-catalog' }), 200)
  assert.equal(expectExit(await folder.run(['events', 'check']), 0).out, 'Apps send what is declared\n')
  await track(ws.app, 'D', [{ type: 'order_completed', properties: { total: 'much', colour: 'red' } }, { type: 'order_complete' }])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'event-catalog' }), 200)
  assert.equal(
    expectExit(await folder.run(['events', 'check']), 2).out,
    'order_complete: apps send it, and it is not declared\norder_completed: not declared: colour\norder_completed.total: 1 events are not as declared\n',
  )
})
