import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'

export type Track = {
  isAtStart: boolean
  isAtEnd: boolean
  /** Whether it moves by itself now. */ isMoving: boolean
  step: (direction: 1 | -1) => void
}

/** The position of a scrolling row, and a function to move it by what fits on the screen. Moves by itself every `seconds` when given, unless motion is unwelcome. */
export function useTrack(ref: RefObject<HTMLElement | null>, itemCount: number, seconds: number | undefined): Track {
  const [ends, setEnds] = useState({ isAtStart: true, isAtEnd: true })
  const isStill = useSyncExternalStore(onMotionPreference, prefersStill, () => true)

  useEffect(() => {
    const track = ref.current
    if (!track) return undefined
    const look = () => setEnds((known) => (isSame(known, endsOf(track)) ? known : endsOf(track)))
    look()
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(look)
    observer?.observe(track)
    track.addEventListener('scroll', look, { passive: true })
    return () => {
      observer?.disconnect()
      track.removeEventListener('scroll', look)
    }
  }, [ref, itemCount])

  const isMoving = seconds !== undefined && !isStill && !(ends.isAtStart && ends.isAtEnd)
  useEffect(() => {
    const track = ref.current
    if (!track || !isMoving) return undefined
    const timer = setInterval(() => {
      // A row that is being read or used does not move.
      if (!track.matches(':hover, :focus-within')) moveOn(track)
    }, seconds * 1000)
    return () => clearInterval(timer)
  }, [ref, isMoving, seconds])

  const step = (direction: 1 | -1) => {
    const track = ref.current
    if (track) scrollTrack(track, direction * track.clientWidth * 0.8, isStill)
  }
  return { ...ends, isMoving, step }
}

type Ends = { isAtStart: boolean; isAtEnd: boolean }

/** Positions count from the start of the text: in a right-to-left row browsers count them below zero. */
function endsOf(track: HTMLElement): Ends {
  const position = Math.abs(track.scrollLeft)
  return { isAtStart: position < 4, isAtEnd: position + track.clientWidth >= track.scrollWidth - 4 }
}

function isSame(left: Ends, right: Ends): boolean {
  return left.isAtStart === right.isAtStart && left.isAtEnd === right.isAtEnd
}

function scrollTrack(track: HTMLElement, distance: number, isStill: boolean): void {
  const sign = getComputedStyle(track).direction === 'rtl' ? -1 : 1
  // jsdom moves nothing.
  track.scrollBy?.({ left: sign * distance, behavior: isStill ? 'instant' : 'smooth' })
}

/** Moves one item further, and from the end back to the start. */
function moveOn(track: HTMLElement): void {
  if (endsOf(track).isAtEnd) track.scrollTo?.({ left: 0, behavior: 'smooth' })
  else scrollTrack(track, track.firstElementChild?.clientWidth ?? track.clientWidth, false)
}

const STILL = '(prefers-reduced-motion: reduce)'

function prefersStill(): boolean {
  return typeof matchMedia === 'undefined' || matchMedia(STILL).matches
}

function onMotionPreference(listener: () => void): () => void {
  if (typeof matchMedia === 'undefined') return () => undefined
  const query = matchMedia(STILL)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
