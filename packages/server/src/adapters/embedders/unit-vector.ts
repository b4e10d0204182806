/**
 * Scales a vector to length 1, in place.
 *
 * @returns undefined if it has no direction, or numbers that are not finite
 */
export function unitVector(vector: Float32Array): Float32Array | undefined {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  const length = Math.sqrt(sum)
  // The sum is NaN or infinite as soon as one of the numbers is.
  if (!Number.isFinite(length) || length < 1e-12) return undefined
  for (let i = 0; i < vector.length; i++) vector[i]! /= length
  return vector
}
