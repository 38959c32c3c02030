/** What the documents say becomes of devices and people, in a few lines without a database: the oracle of the random histories. */
import { cleanTraits } from '@contentflow/core/identity/clean-traits.ts'

export type Environment = 'live' | 'test'
type Traits = Record<string, unknown>
type Device = {
  environment: Environment
  consent: 'granted' | 'denied'
  person: string | null
  traits: Traits
  /** Whether its traits, or without any those of its person, were gold when it identified last. */
  wasGold: boolean
  endsAt: number
}
type Person = { name: string | null; traits: Traits; analytics: boolean; industry: Traits }
export type Expected = { status: number; code?: string }

export type Act =
  | { kind: 'identify'; on: Environment; device: string; user?: string; consent: boolean; traits?: unknown; name?: string }
  | { kind: 'logout'; on: Environment; device: string }
  | { kind: 'erase'; on: Environment; device: string }
  | { kind: 'track'; on: Environment; device: string }
  | { kind: 'profile'; on: Environment; device: string; user: string; value: number }
  | { kind: 'advance'; hours: number }

const OK: Expected = { status: 200 }
const MISMATCH: Expected = { status: 409, code: 'DEVICE_ENVIRONMENT_MISMATCH' }
const ERASED: Expected = { status: 409, code: 'SUBJECT_ERASED' }
const UNKNOWN: Expected = { status: 403, code: 'DEVICE_NOT_IDENTIFIED' }

/** People are named `live user:U` or `live device:D`. */
export class PeopleModel {
  now = 0
  readonly devices = new Map<string, Device>()
  readonly people = new Map<string, Person>()
  readonly #erased = new Set<string>()

  apply(act: Act): Expected {
    if (act.kind === 'identify') return this.#identify(act)
    if (act.kind === 'logout') return this.#logOut(act)
    if (act.kind === 'erase') return this.#erase(act)
    if (act.kind === 'track') return this.#track(act)
    if (act.kind === 'profile') return this.#profile(act)
    this.now += act.hours
    return OK
  }

  /**
   * Whether content for the trait `plan: gold` may reach the device. Undefined: its person is another by now, which it hears
   * of within a minute.
   */
  isGold(on: Environment, id: string): boolean | undefined {
    const device = this.#own(on, id)
    if (!device || !this.#lives(device) || device.consent !== 'granted' || device.person === null) return false
    return this.#isOfGold(device) === device.wasGold ? device.wasGold : undefined
  }

  #isOfGold({ traits, person }: Pick<Device, 'traits' | 'person'>): boolean {
    const judged = isEmpty(traits) ? this.people.get(person ?? '')?.traits : traits
    return judged?.['plan'] === 'gold'
  }

  #lives(device: Device): boolean {
    return device.endsAt > this.now
  }

  #own(on: Environment, id: string): Device | undefined {
    const device = this.devices.get(id)
    return device?.environment === on ? device : undefined
  }

  #isForeign(on: Environment, id: string): boolean {
    const device = this.devices.get(id)
    return device !== undefined && device.environment !== on && this.#lives(device)
  }

  #identify({ on, device: id, user, consent, traits, name }: Extract<Act, { kind: 'identify' }>): Expected {
    if (this.#isForeign(on, id)) return MISMATCH
    const known = this.#own(on, id) ?? { person: null, traits: {}, wasGold: false }
    const device: Device = { ...known, environment: on, consent: consent ? 'granted' : 'denied', endsAt: this.now + 24 }
    this.devices.set(id, device)
    if (!consent) {
      const person = device.person !== null && this.people.get(device.person)
      if (person) person.analytics = false
      return OK
    }
    const anonymous = `${on} device:${id}`
    const base = user === undefined ? (device.person ?? anonymous) : `${on} user:${user}`
    const isOther = device.person?.includes(' user:') && device.person !== base
    device.person = base
    const person = this.people.get(base) ?? { name: null, traits: {}, analytics: true, industry: {} }
    const absorbed = base.includes(' user:') ? this.people.get(anonymous) : undefined
    if (absorbed) {
      person.name ??= absorbed.name
      person.traits = { ...absorbed.traits, ...person.traits }
      this.people.delete(anonymous)
    }
    device.traits = cleanTraits(traits) ?? (isOther || absorbed ? {} : device.traits)
    person.name = name ?? person.name
    if (!isEmpty(device.traits)) person.traits = device.traits
    person.analytics = true
    this.people.set(base, person)
    device.wasGold = this.#isOfGold(device)
    this.#erased.delete(anonymous)
    if (user !== undefined) this.#erased.delete(base)
    return OK
  }

  #logOut({ on, device: id }: { on: Environment; device: string }): Expected {
    if (this.#isForeign(on, id)) return MISMATCH
    const device = this.#own(on, id)
    if (device?.person?.includes(' user:')) Object.assign(device, { person: null, traits: {} })
    return OK
  }

  #erase({ on, device: id }: { on: Environment; device: string }): Expected {
    if (this.#isForeign(on, id)) return MISMATCH
    const own = this.#own(on, id)
    const anonymous = `${on} device:${id}`
    const person = own?.person ?? (this.people.has(anonymous) ? anonymous : undefined)
    if (!own && person === undefined) return OK
    this.#erased.add(anonymous)
    if (own) this.devices.delete(id)
    if (person === undefined) return OK
    this.#erased.add(person)
    this.people.delete(person)
    for (const [other, device] of this.devices) {
      if (device.person !== person) continue
      this.devices.delete(other)
      this.#erased.add(`${on} device:${other}`)
    }
    return OK
  }

  #track({ on, device: id }: { on: Environment; device: string }): Expected {
    if (this.#isForeign(on, id)) return MISMATCH
    return this.#erased.has(`${on} device:${id}`) ? ERASED : { status: 202 }
  }

  #profile({ on, device: id, user, value }: Extract<Act, { kind: 'profile' }>): Expected {
    if (this.#isForeign(on, id)) return MISMATCH
    const name = `${on} user:${user}`
    if (this.#erased.has(`${on} device:${id}`) || this.#erased.has(name)) return ERASED
    const device = this.#own(on, id)
    if (!device || !this.#lives(device) || !device.person?.includes(' user:')) return UNKNOWN
    if (device.person !== name) return { status: 403, code: 'USER_ID_DEVICE_MISMATCH' }
    if (device.consent !== 'granted') return UNKNOWN
    const person = this.people.get(name)
    if (person) person.industry = { retail: { value } }
    return OK
  }
}

function isEmpty(traits: Traits): boolean {
  return Object.keys(traits).length === 0
}
