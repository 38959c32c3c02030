/**
 * Random work of two people on one instance against a small model: after every call what each environment is served, and
 * where its pointer points, are as the model says, and no revision is lost. The seed of a failing history is in its error.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../../../../test/harness/assert-property.ts'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance, operator } = await startApp()

type Environment = 'live' | 'test'
type Act =
  | { kind: 'save'; isDraft: boolean; title: string }
  | { kind: 'publish'; targets: Environment[]; back: number }
  | { kind: 'schedule'; targets: Environment[]; back: number }
  | { kind: 'unpublish'; targets: Environment[] }
  | { kind: 'rollback'; back: number }
  | { kind: 'delete' }
  | { kind: 'restore' }
  | { kind: 'wait' }

const targets = fc.constantFrom<Environment[]>(['live'], ['test'], ['live', 'test'])
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('save' as const), isDraft: fc.boolean(), title: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('publish' as const, 'schedule' as const), targets, back: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unpublish' as const), targets }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rollback' as const), back: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'restore' as const, 'wait' as const) }) },
)

class Model {
  revisions = ['first']
  pointers: Record<Environment, number | null> = { live: null, test: null }
  waiting: { targets: Environment[]; revision: number }[] = []
  isDeleted = false

  get head(): number {
    return this.revisions.length
  }

  numberBack(back: number): number {
    return Math.max(1, this.head - back)
  }

  apply(step: Act): number {
    if (step.kind === 'wait') return this.wait()
    if (step.kind === 'restore') return this.restore()
    if (this.isDeleted) return 404
    if (step.kind === 'save') this.save(step.title, step.isDraft)
    else if (step.kind === 'rollback') this.add(this.revisions[this.numberBack(step.back) - 1] ?? '')
    else if (step.kind === 'schedule') this.waiting.push({ targets: step.targets, revision: this.numberBack(step.back) })
    else if (step.kind === 'delete') [this.isDeleted, this.waiting, this.pointers] = [true, [], { live: null, test: null }]
    else for (const target of step.targets) this.pointers[target] = step.kind === 'publish' ? this.numberBack(step.back) : null
    return step.kind === 'schedule' ? 202 : 200
  }

  save(title: string, isDraft: boolean): void {
    if (this.revisions.at(-1) !== title) this.revisions.push(title)
    if (!isDraft) this.moveSet()
  }

  add(title: string): void {
    this.revisions.push(title)
    this.moveSet()
  }

  moveSet(): void {
    for (const target of ['live', 'test'] as const) if (this.pointers[target] !== null) this.pointers[target] = this.head
  }

  wait(): number {
    for (const { targets: each, revision } of this.waiting) for (const target of each) this.pointers[target] = revision
    this.waiting = []
    return 200
  }

  restore(): number {
    if (!this.isDeleted) return 404
    this.isDeleted = false
    return 200
  }

  served(environment: Environment): string[] {
    const number = environment === 'live' ? this.pointers.live : (this.pointers.test ?? this.pointers.live)
    return number === null ? [] : [this.revisions[number - 1] ?? '']
  }
}

async function send(by: Client, path: string, step: Act, model: Model): Promise<number> {
  if (step.kind === 'wait') {
    await advance(61)
    return 200
  }
  const status = async (call: Promise<{ status: number }>) => (await call).status
  if (step.kind === 'save') return status(by.put(`${path}?draft=${step.isDraft}`, { values: { '#title': step.title } }))
  if (step.kind === 'rollback') return status(by.post(`${path}/revisions/${model.numberBack(step.back)}/rollback`))
  if (step.kind === 'delete') return status(by.delete(path))
  if (step.kind === 'restore') return status(by.post(`${path}/restore`))
  if (step.kind === 'unpublish') return status(by.post(`${path}/unpublish`, { targets: step.targets }))
  const at = step.kind === 'schedule' ? { at: new Date(ctx.clock.ms() + 30_000).toISOString() } : {}
  return status(by.post(`${path}/publish`, { targets: step.targets, revision: model.numberBack(step.back), ...at }))
}

const titles = async (ws: Workspace, key: string) => (await ws.blocks(undefined, { key })).map(({ values }) => values['#title'])

test('G-82 G-36 what an environment is served is what its pointer names, after every history of two people, and nothing is lost', async () => {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  const people = [ws.admin, await ws.editor()]
  await assertProperty(
    [fc.array(act, { minLength: 5, maxLength: 20 })],
    async (acts) => {
      const { id } = await ws.instance('promo', { values: { '#title': 'first' } }, { publish: false })
      const path = `/blocks/promo/instances/${id}`
      const model = new Model()
      for (const [index, step] of acts.entries()) {
        const told = JSON.stringify(acts.slice(0, index + 1))
        const answered = await send(people[index % 2]!, path, step, model)
        assert.equal(answered, model.apply(step), told)
        assert.deepEqual([await titles(ws, ws.live), await titles(ws, ws.test)], [model.served('live'), model.served('test')], told)
        if (model.isDeleted) continue
        const { head, live, test: forTest } = expectStatus(await ws.admin.get(path), 200).data
        assert.deepEqual({ head, live, test: forTest }, { head: model.head, ...model.pointers }, told)
        const { data } = expectStatus(await ws.admin.get(`${path}/revisions?limit=200`), 200)
        assert.deepEqual(
          data.revisions.map(({ content }: any) => content.values['#title']),
          model.revisions.toReversed(),
          told,
        )
      }
      await ws.admin.delete(path)
    },
    { numRuns: 25, interruptAfterTimeLimit: 20_000 },
  )
})
