/** Who opened a message and followed its links: people apart from machines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changesOf, countResponses, newlyDone, ANY_LINK } from './count-responses.ts'
import { classifyHit, OPENED, TRAP, type Hit } from './hit.ts'
import { judgeResponses } from './judge-responses.ts'
import { isTracked, messageTracking, readMessageTracking } from './tracking.ts'
import { isTrackable, trackedNodes } from './tracked-nodes.ts'
import { RESPONSE_CASES, type ResponseCase } from './response-cases.ts'

const runOf = ({ hits, links }: ResponseCase) =>
  judgeResponses(
    hits.map(({ after, node, ...request }) => ({
      node,
      at: after * 1_000,
      class: classifyHit({ method: request.method ?? 'GET', isOpening: node === OPENED, headers: request.headers }),
    })),
    { sentAt: 0, links },
  )

test('the labelled cases: of a hundred people at most one is taken for a machine, and of a hundred machines at most one for a person', () => {
  const wrong = { people: [] as string[], machines: [] as string[] }
  const all = { people: 0, machines: 0 }
  for (const each of RESPONSE_CASES) {
    const { opened, links } = runOf(each)
    const clicked = [...links].flatMap(([node, { peopleAt }]) => (peopleAt === null ? [] : [node]))
    all[each.by]++
    const isRight = opened === each.opened && clicked.toSorted().join() === each.clicked.toSorted().join()
    if (!isRight) wrong[each.by].push(`${each.name}: ${opened} [${clicked.join()}] instead of ${each.opened} [${each.clicked.join()}]`)
  }
  assert.ok(all.people >= 150 && all.machines >= 150, JSON.stringify(all))
  assert.ok(wrong.people.length <= all.people / 100, wrong.people.join('\n'))
  assert.ok(wrong.machines.length <= all.machines / 100, wrong.machines.join('\n'))
})

const hits = fc.array(
  fc.record({
    node: fc.constantFrom(OPENED, TRAP, 'a', 'b', 'c', 'd'),
    at: fc.integer({ min: 0, max: 60_000 }),
    class: fc.constantFrom('person', 'machine', 'automatic', 'refused'),
  }),
  { maxLength: 20 },
)
const plain = (of: readonly Hit[]) => {
  const { links, ...rest } = judgeResponses(of, { sentAt: 0, links: 4 })
  return { ...rest, links: Object.fromEntries([...links].toSorted(([one], [other]) => one.localeCompare(other))) }
}

test("whatever is followed within ten seconds of the trap is a scanner's, and the trap itself is no link", () => {
  const hit = (node: string, at: number, kind: Hit['class'] = 'person'): Hit => ({ node, at, class: kind })
  const of = (...some: Hit[]) => judgeResponses(some, { sentAt: 0, links: 4 })
  const near = of(hit(TRAP, 60_000), hit('a', 70_000), hit(OPENED, 50_000), hit('b', 70_001))
  assert.deepEqual([...near.links.keys()].toSorted(), ['a', 'b'])
  assert.equal(near.links.get('a')?.peopleAt, null)
  assert.equal(near.links.get('b')?.peopleAt, 70_001)
  assert.equal(near.opening.machineTimes, 1)
  const alone = of(hit(TRAP, 60_000, 'machine'))
  assert.deepEqual([alone.opened, alone.links.size], ['no', 0])
  assert.equal(of(hit(TRAP, 60_000, 'machine'), hit('a', 60_000)).links.get('a')?.peopleAt, null)
})

test('the order of hits does not matter, and a hit that says it is a machine makes nobody a person', () => {
  fc.assert(
    fc.property(hits, fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(OPENED, 'a', 'b'), (some, at, node) => {
      const judged = plain(some)
      assert.deepEqual(plain(some.toReversed()), judged)
      const more = plain([...some, { node, at, class: 'machine' }])
      assert.deepEqual([more.opened, more.opening.peopleAt], [judged.opened, judged.opening.peopleAt])
      for (const [each, { peopleAt }] of Object.entries(more.links)) assert.equal(peopleAt, judged.links[each]?.peopleAt ?? null)
    }),
    { numRuns: 2_000 },
  )
})

test('sums follow verdicts: what was added is what a verdict counts, whatever came before it', () => {
  fc.assert(
    fc.property(fc.array(hits, { maxLength: 4 }), (steps) => {
      const sums = new Map<string, number>()
      let before = countResponses(judgeResponses([], { sentAt: 0, links: 4 }))
      let seen: Hit[] = []
      const told: string[] = []
      for (const step of steps) {
        seen = seen.concat(step)
        const after = countResponses(judgeResponses(seen, { sentAt: 0, links: 4 }))
        for (const change of changesOf(before, after)) sums.set(change.node, (sums.get(change.node) ?? 0) + change.people)
        told.push(...newlyDone(before, after))
        before = after
      }
      for (const { node, people } of before) assert.equal(sums.get(node) ?? 0, people, node)
      assert.ok(!told.includes(ANY_LINK))
    }),
  )
})

test('whose are counted: nobody by default who did not agree', () => {
  const cases: [Parameters<typeof isTracked>[0], boolean | null, boolean][] = [
    ['off', true, false],
    ['agreed', null, false],
    ['agreed', false, false],
    ['agreed', true, true],
    ['unless_refused', null, true],
    ['unless_refused', false, false],
    ['unless_refused', true, true],
  ]
  for (const [mode, said, expected] of cases) assert.equal(isTracked(mode, said), expected, `${mode} ${said}`)
  assert.deepEqual(messageTracking(null), { opens: 'agreed', clicks: 'agreed', trap: false })
  assert.deepEqual(readMessageTracking({ opens: 'off', clicks: 'agreed' }), {
    ok: true,
    value: { opens: 'off', clicks: 'agreed', trap: false },
  })
  assert.equal(readMessageTracking({ opens: 'off', clicks: 'off', trap: 'yes' }).ok, false)
  for (const wrong of [null, [], {}, { opens: 'off' }, { opens: 'on', clicks: 'off' }, { opens: 1, clicks: 'off' }])
    assert.equal(readMessageTracking(wrong as never).ok, false)
})

test('only pages of the web are followed through the server, and the button of a mail is its one place', () => {
  for (const url of [
    '/offers',
    'mailto:a@example.com',
    'tel:+9665',
    'myshop://x',
    'http://example.com',
    `https://example.com/${'x'.repeat(2_000)}`,
  ])
    assert.equal(isTrackable(url), false, url)
  assert.ok(isTrackable('https://example.com/x?y=1') && isTrackable('HTTPS://example.com'))
  assert.deepEqual(trackedNodes({ content: { en: { body: 'x' } } }), [])
  const content = { en: { body: 'x' }, ar: { body: 'x', variants: [{ id: 'v', weight: 1, values: { ctaUrl: 'https://a.example' } }] } }
  assert.deepEqual(trackedNodes({ content }), [{ node: 'button', label: 'https://a.example', url: 'https://a.example' }])
})
