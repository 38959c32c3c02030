import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { open, type Reader, type Response } from 'maxmind'
import type { Logger } from './log.ts'

/** Null for what is not known. `country` is a code of two letters. */
export type GeoLocation = { country: string | null; region: string | null; city: string | null }

export type GeoIp = {
  /** Looks up where an address is, in memory; an empty location while the file is still being read. */
  lookUp(address: string): GeoLocation
  /** Resolves when the file is read, or could not be. */
  ready(): Promise<void>
}

const NOWHERE: GeoLocation = { country: null, region: null, city: null }
/** Countries only, CC0; it comes with the package. 8 MB, held in memory like any other file named instead. */
const OWN_FILE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** Reads `file` (empty: the one that comes along) behind the start. Without it every place is unknown, and nothing else changes. */
export function openGeoIp(file: string, log: Logger): GeoIp {
  let reader: Reader<Response> | undefined
  const reading = open(file || fileURLToPath(import.meta.resolve(OWN_FILE))).then(
    (opened) => {
      reader = opened
    },
    (error: unknown) => log.error({ err: error, file }, 'addresses cannot be located: CF_GEOIP_FILE could not be read'),
  )
  return {
    lookUp: (address) => (reader && isIP(address) !== 0 ? readGeoLocation(reader.get(address)) : NOWHERE),
    ready: () => reading,
  }
}

/** Reads the records of MaxMind, DB-IP and ip-location-db. */
export function readGeoLocation(record: unknown): GeoLocation {
  return {
    country: text(at(record, 'country', 'iso_code')) ?? text(at(record, 'country_code')),
    region: text(at(record, 'subdivisions', 0, 'names', 'en')) ?? text(at(record, 'state1')),
    city: text(at(record, 'city', 'names', 'en')) ?? text(at(record, 'city')),
  }
}

function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
