import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPatch } from './patch.ts'
import { GROUP, USER, type Resource } from './shapes.ts'
import { missingIn, readResource, textOf } from './values.ts'

const BLANK: Resource = { userName: 'a', active: true }
const patched = (operations: unknown, before: Resource = BLANK) => {
  const result = applyPatch(USER, before, { Operations: operations })
  return result.ok ? result.value : result.fault.scimType
}

test('what is not known is ignored, so that a deactivation beside it is done', () => {
  for (const path of [
    'manager',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
    'addresses[type eq "work"].formatted',
    'addresses[nonsense',
    'password',
    'id',
    'meta.version',
    'userName.part',
    'name[type eq "x"].y',
    'name.title',
    'emails[type eq "work"].display',
  ])
    assert.deepEqual(
      patched([
        { op: 'Add', path, value: 'x' },
        { op: 'Replace', path: 'active', value: 'False' },
      ]),
      { userName: 'a', active: false },
      path,
    )
})

test('names count without case, alone and behind the name of their schema', () => {
  for (const path of [
    'active',
    'ACTIVE',
    'urn:ietf:params:scim:schemas:core:2.0:User:active',
    'URN:IETF:params:scim:schemas:core:2.0:user:Active',
  ])
    assert.deepEqual(patched([{ op: 'REPLACE', path, value: false }]), { userName: 'a', active: false }, path)
  assert.deepEqual(patched([{ op: 'replace', value: { ACTIVE: 'fAlSe', id: 'x', schemas: [] } }]), { userName: 'a', active: false })
})

test('what is known and wrong is refused as a whole', () => {
  for (const [operations, fault] of [
    [undefined, 'invalidSyntax'],
    [[], 'invalidSyntax'],
    ['x', 'invalidSyntax'],
    [[5], 'invalidSyntax'],
    [[{ op: 'move', path: 'active' }], 'invalidSyntax'],
    [[{ path: 'active', value: false }], 'invalidSyntax'],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'add', value: 'x' }], 'invalidValue'],
    [[{ op: 'add', value: [] }], 'invalidValue'],
    [[{ op: 'add', path: 5, value: 'x' }], 'invalidPath'],
    [[{ op: 'add', path: '', value: 'x' }], 'invalidPath'],
    [[{ op: 'add', path: '[x]', value: 'x' }], 'invalidPath'],
    [[{ op: 'add', path: 'emails[type ne "work"].value', value: 'x' }], 'invalidPath'],
    [[{ op: 'add', path: 'emails[', value: 'x' }], 'invalidPath'],
    [[{ op: 'replace', path: 'active', value: 'no' }], 'invalidValue'],
    [[{ op: 'replace', path: 'active', value: 0 }], 'invalidValue'],
    [[{ op: 'replace', path: 'userName', value: {} }], 'invalidValue'],
    [[{ op: 'replace', path: 'userName', value: 'x'.repeat(301) }], 'invalidValue'],
    [[{ op: 'replace', path: 'userName', value: '' }], 'invalidValue'],
    [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
    [[{ op: 'remove', path: 'active' }], 'invalidValue'],
    [[{ op: 'replace', path: 'name', value: 'x' }], 'invalidValue'],
    [[{ op: 'add', path: 'emails', value: Array.from({ length: 11 }, (_, i) => ({ value: `${i}` })) }], 'invalidValue'],
    [[{ op: 'add', path: 'emails', value: ['a@b.example'] }], 'invalidValue'],
    [Array.from({ length: 101 }, () => ({ op: 'replace', path: 'active', value: true })), 'tooMany'],
    [[{ op: 'add', value: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`x${i}`, 1])) }], 'tooMany'],
  ] as const)
    assert.equal(patched(operations), fault, JSON.stringify(operations)?.slice(0, 100))
  assert.equal(patched([{ op: 'replace', value: JSON.parse('{"__proto__": {"active": false}}') as object }]), 'invalidPath')
})

test('of addresses one is primary, and an address that is taken away leaves nothing behind', () => {
  const before = { ...BLANK, emails: [{ value: 'a@x', type: 'work', primary: true }] }
  assert.deepEqual(patched([{ op: 'add', path: 'emails', value: [{ value: 'b@x', type: 'home', primary: true }] }], before), {
    ...BLANK,
    emails: [
      { value: 'a@x', type: 'work', primary: false },
      { value: 'b@x', type: 'home', primary: true },
    ],
  })
  assert.deepEqual(patched([{ op: 'remove', path: 'emails[type eq "work"].value' }], before), BLANK)
  assert.deepEqual(patched([{ op: 'remove', path: 'emails' }], before), BLANK)
})

test('users and groups are read with what is known of them', () => {
  const read = readResource(USER, {
    USERNAME: 'a',
    name: { GIVENNAME: 'A', x: 1 },
    emails: { value: 'a@x', display: 'x' },
    password: 'x',
    title: null,
  })
  assert.deepEqual(read, { ok: true, value: { userName: 'a', name: { givenName: 'A' }, emails: [{ value: 'a@x' }] } })
  assert.equal(missingIn(USER, { active: true }), 'userName')
  assert.equal(missingIn(GROUP, { displayName: 'x' }), undefined)
  assert.equal(readResource(USER, { userName: 5 }).ok, false)
})

// --- against a plain oracle ---

/** What a user is, in the plainest form: each attribute by itself. */
type Plain = { userName: string; active: boolean; displayName?: string; given?: string; family?: string; mails: Map<string, string> }

/** The same numbers in every run. */
function draws(seed: number) {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const of = <T>(all: readonly T[]): T => {
    const found = all[next(all.length)]
    if (found === undefined) throw new Error('there is nothing to draw from')
    return found
  }
  return { next, of }
}
type Draws = ReturnType<typeof draws>

const TEXTS = ['x', 'Sara', 'نورة', 'a b', 'O"Neil', '1']
const ENTRA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** One change, as one of the dialects writes it, and what it does to a plain user. */
function drawUserChange({ next, of }: Draws): { operation: object; apply: (user: Plain) => void } {
  const text = of(TEXTS)
  const op = of(['add', 'Add', 'replace', 'Replace'])
  const type = of(['work', 'home', 'other'])
  const attributes = {
    active: () => {
      const flag = of([true, false])
      return { path: 'active', value: of([flag, String(flag), flag ? 'True' : 'False']), apply: (user: Plain) => void (user.active = flag) }
    },
    userName: () => ({ path: of(['userName', 'username']), value: text, apply: (user: Plain) => void (user.userName = text) }),
    displayName: () => ({ path: 'displayName', value: text, apply: (user: Plain) => void (user.displayName = text) }),
    given: () => ({ path: 'name.givenName', value: text, apply: (user: Plain) => void (user.given = text) }),
    family: () => ({ path: 'name.familyName', value: text, apply: (user: Plain) => void (user.family = text) }),
    mail: () => ({ path: `emails[type eq "${type}"].value`, value: text, apply: (user: Plain) => void user.mails.set(type, text) }),
    unknown: () => ({ path: of(['title', `${ENTRA}:manager`, 'addresses[type eq "work"].region']), value: text, apply: () => undefined }),
  }
  const kind = of(['set', 'set', 'several', 'remove', 'name'] as const)
  if (kind === 'remove') {
    const [path, apply] = of<[string, (user: Plain) => void]>([
      ['displayName', (user) => void delete user.displayName],
      ['name.givenName', (user) => void delete user.given],
      ['name', (user) => (delete user.given, void delete user.family)],
      [`emails[type eq "${type}"]`, (user) => void user.mails.delete(type)],
      [`emails[type eq "${type}"].value`, (user) => void user.mails.delete(type)],
      ['emails', (user) => user.mails.clear()],
    ])
    return { operation: { op: of(['remove', 'Remove']), path }, apply }
  }
  if (kind === 'name') return { operation: { op, value: { name: { givenName: text } } }, apply: (user) => void (user.given = text) }
  const drawn = Array.from({ length: kind === 'several' ? 1 + next(3) : 1 }, () => of(Object.values(attributes))())
  // In one object a name stands once: the last one counts, at the place of the first.
  const byPath = new Map(drawn.map((each) => [each.path, each]))
  const apply = (user: Plain) => [...byPath.values()].forEach((each) => each.apply(user))
  if (kind === 'several') return { operation: { op, value: Object.fromEntries(drawn.map(({ path, value }) => [path, value])) }, apply }
  return { operation: { op, path: drawn[0]?.path, value: drawn[0]?.value }, apply }
}

function plainOf(resource: Resource): Plain {
  const name = (resource['name'] ?? {}) as { givenName?: string; familyName?: string }
  const emails = (resource['emails'] ?? []) as unknown as { type: string; value: string }[]
  return {
    userName: textOf(resource['userName']) ?? '',
    active: resource['active'] === true,
    ...(typeof resource['displayName'] === 'string' && { displayName: resource['displayName'] }),
    ...(name.givenName !== undefined && { given: name.givenName }),
    ...(name.familyName !== undefined && { family: name.familyName }),
    mails: new Map(emails.map(({ type, value }) => [type, value])),
  }
}

test('10,000 random lists of operations leave a user as a plain oracle says', () => {
  for (let seed = 1; seed <= 10_000; seed++) {
    const drawn = draws(seed)
    let resource: Resource = { userName: 'a', active: true }
    const expected: Plain = { userName: 'a', active: true, mails: new Map() }
    for (let patches = 1 + drawn.next(3); patches > 0; patches--) {
      const changes = Array.from({ length: 1 + drawn.next(6) }, () => drawUserChange(drawn))
      for (const { apply } of changes) apply(expected)
      const Operations = changes.map(({ operation }) => operation)
      const result = applyPatch(USER, resource, { Operations })
      assert.ok(result.ok, `${seed} ${JSON.stringify(Operations)}`)
      resource = result.value
    }
    const sorted = (user: Plain) => ({ ...user, mails: [...user.mails].sort() })
    assert.deepEqual(sorted(plainOf(resource)), sorted(expected), `seed ${seed}`)
  }
})

test('10,000 random lists of operations leave a group as a plain oracle says', () => {
  const people = ['p1', 'p2', 'p3', 'p4', 'p5']
  for (let seed = 1; seed <= 10_000; seed++) {
    const { next, of } = draws(seed + 1_000_000)
    let resource: Resource = { displayName: 'g' }
    let [name, members] = ['g', new Set<string>()]
    const Operations = Array.from({ length: 1 + next(12) }, () => {
      const some = people.filter(() => next(2) === 0)
      const value = some.map((each) => ({ value: each, ...(next(2) === 0 && { $ref: null, display: 'x' }) }))
      const [first = 'p1'] = some
      const kind = of(['add', 'set', 'remove', 'removeOne', 'removeAll', 'rename', 'addOne'] as const)
      if (kind === 'add') members = new Set([...members, ...some])
      if (kind === 'set') members = new Set(some)
      if (kind === 'remove') for (const each of some) members.delete(each)
      if (kind === 'removeOne') members.delete(first)
      if (kind === 'removeAll') members = new Set()
      if (kind === 'addOne') members.add(first)
      if (kind === 'rename') name = first
      return {
        add: of([
          { op: 'Add', path: 'members', value },
          { op: 'add', value: { members: value } },
        ]),
        set: of([
          { op: 'Replace', path: 'members', value },
          { op: 'replace', value: { members: value } },
        ]),
        remove: { op: 'Remove', path: 'members', value },
        removeOne: { op: 'remove', path: `members[value eq "${first}"]` },
        removeAll: { op: 'remove', path: 'members' },
        addOne: { op: 'add', path: 'members', value: { value: first } },
        rename: of([
          { op: 'replace', path: 'displayName', value: first },
          { op: 'replace', value: { id: 'x', displayName: first } },
        ]),
      }[kind]
    })
    const result = applyPatch(GROUP, resource, { Operations })
    assert.ok(result.ok, `${seed} ${JSON.stringify(Operations)}`)
    resource = result.value
    const found = ((resource['members'] ?? []) as unknown as { value: string }[]).map(({ value }) => value)
    assert.deepEqual(
      [resource['displayName'], found.toSorted()],
      [name, [...members].sort()],
      `seed ${seed}: ${JSON.stringify(Operations)}`,
    )
  }
})
