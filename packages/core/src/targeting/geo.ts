import { isPlainObject, type Json } from '../blocks/field.ts'

export type Point = { latitude: number; longitude: number }
export type Circle = Point & { radiusMeters: number }

/** Mean radius of the earth (IUGG). A sphere is off by at most half a percent. */
const EARTH_METERS = 6_371_008.8

/** A place on earth in degrees; undefined for anything else. */
export function toPoint(value: Json | undefined): Point | undefined {
  if (!isPlainObject(value)) return undefined
  const { latitude, longitude } = value
  return isWithin(latitude, 90) && isWithin(longitude, 180) ? { latitude, longitude } : undefined
}

/** G-78: the value of geo_radius, `{latitude, longitude, radiusMeters}`. */
export function toCircle(value: Json | undefined): Circle | undefined {
  const point = toPoint(value)
  const radiusMeters = isPlainObject(value) ? value['radiusMeters'] : undefined
  return point && typeof radiusMeters === 'number' && radiusMeters > 0 && Number.isFinite(radiusMeters)
    ? { ...point, radiusMeters }
    : undefined
}

/** Great-circle distance in metres (haversine). */
export function metersBetween(a: Point, b: Point): number {
  const rise = Math.sin(radians(b.latitude - a.latitude) / 2)
  const turn = Math.sin(radians(b.longitude - a.longitude) / 2)
  const chord = rise * rise + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * turn * turn
  // Rounding can carry opposite points just over 1.
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function isWithin(degrees: Json | undefined, limit: number): degrees is number {
  return typeof degrees === 'number' && Math.abs(degrees) <= limit
}
