import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { open, type Reader, type Response } from 'maxmind'
import type { Logger } from './log.ts'

/** Null for what is not known. `country` is a code of two letters. */
export type GeoLocation = { country: string | null; region: string | null; city: string | null }

export type GeoIp = {
  /** Where an address is. The first look-up reads the file. */
  lookUp(address: string): Promise<GeoLocation>
}

const NOWHERE: GeoLocation = { country: null, region: null, city: null }
/** Countries only, CC0; it comes with the package. 8 MB, held in memory like any other file named instead. */
const OWN_FILE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/**
 * `file`: empty for the one that comes along, which is read at the first look-up, because it is 8 MB of memory; another one is read
 * at the start, so that the log says at once when it cannot be. Without it every place is unknown, and nothing else changes.
 */
export function openGeoIp(file: string, log: Logger): GeoIp {
  let reading: Promise<Reader<Response> | undefined> | undefined
  const read = () =>
    (reading ??= open(file || fileURLToPath(import.meta.resolve(OWN_FILE))).catch((error: unknown) => {
      log.error({ err: error, file }, 'addresses cannot be located: CF_GEOIP_FILE could not be read')
      return undefined
    }))
  if (file !== '') void read()
  return {
    lookUp: async (address) => {
      if (isIP(address) === 0) return NOWHERE
      const reader = await read()
      return reader ? readGeoLocation(reader.get(address)) : NOWHERE
    },
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
