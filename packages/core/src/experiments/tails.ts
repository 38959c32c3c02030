/**
 * Tails of the normal and of the chi-square distribution, both by one function: the regularised upper incomplete gamma
 * function Q(a, x). It is computed as Numerical Recipes 6.2 says: by its series below a + 1, by Lentz's continued
 * fraction above. Right to 1e-12 for the degrees of freedom that occur here (1 to 99).
 */

const SMALL = 1e-300
const EXACT = 1e-15
const MOST_TERMS = 1_000

/** ln Γ(a) of a = 1/2, 1, 3/2, …: by Γ(a) = (a − 1) Γ(a − 1), from Γ(1/2) = √π and Γ(1) = 1. */
function logGamma(halves: number): number {
  let log = halves % 2 === 1 ? Math.log(Math.PI) / 2 : 0
  for (let a = halves % 2 === 1 ? 0.5 : 1; a < halves / 2; a++) log += Math.log(a)
  return log
}

/** Q(halves / 2, x); `halves` is a whole number from 1, x at least 0. */
function upperGamma(halves: number, x: number): number {
  if (!(x > 0)) return 1
  const a = halves / 2
  const factor = Math.exp(a * Math.log(x) - x - logGamma(halves))
  return x < a + 1 ? 1 - factor * lowerSeries(a, x) : factor * upperFraction(a, x)
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < MOST_TERMS && term > sum * EXACT; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

function upperFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = 1 / SMALL
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < MOST_TERMS; n++) {
    const next = -n * (n - a)
    b += 2
    d = 1 / nonZero(next * d + b)
    c = nonZero(b + next / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < EXACT) break
  }
  return fraction
}

const nonZero = (value: number): number => (Math.abs(value) < SMALL ? SMALL : value)

/** The share of a chi-square distribution of `df` degrees of freedom that lies above `x`. */
export const chiSquareTail = (df: number, x: number): number => upperGamma(df, x / 2)

/** The share of a normal distribution that lies further than `z` from its middle, on both sides. */
export const twoSided = (z: number): number => upperGamma(1, z ** 2 / 2)

/** The z above which the share `tail` of a normal distribution lies; `tail` is from 1e-12 to 0.5. By halving: 60 steps are exact. */
export function zOfTail(tail: number): number {
  let low = 0
  let high = 8
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (twoSided(middle) / 2 > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}
