/** A point on the earth, in degrees of WGS 84. */
export interface Place {
  /** -90..90, north is positive. */
  readonly lat: number
  /** -180..180, east is positive. */
  readonly lon: number
}

/**
 * Places are stored on a grid of 2^32 by 2^32 points, 5 mm by at most 9 mm: that of Lucene's
 * `GeoEncodingUtils`, so that a cluster stores the same points. These are the grid steps in
 * degrees; all multiples are exact as doubles.
 */
export const LAT_STEP = 180 / 2 ** 32
export const LON_STEP = 360 / 2 ** 32

const HALF = 2 ** 31

/**
 * Packs a place into one number, the form in the index and in field values. Interleaves the bits of
 * latitude and longitude (Morton, "A computer oriented geodetic data base", 1966), so that numbers
 * with a common prefix of bits share a cell of the map. Signed: the lowest is at the south pole.
 */
export function packPlace({ lat, lon }: Place): bigint {
  const [y, x] = [gridNumber(lat, LAT_STEP), gridNumber(lon, LON_STEP)]
  const high = (spread(y >>> 16) << 1) | spread(x >>> 16)
  const low = (spread(y & 0xffff) << 1) | spread(x & 0xffff)
  return (BigInt(high ^ SIGN) << 32n) | BigInt(low >>> 0)
}

/** The grid point of a packed place. */
export function unpackPlace(packed: bigint): Place {
  const low = Number(packed & 0xffff_ffffn)
  const high = Number((packed >> 32n) & 0xffff_ffffn)
  return { lat: latOf(low, high), lon: lonOf(low, high) }
}

/** The grid point at or just below a place. */
export function onGrid(place: Place): Place {
  return unpackPlace(packPlace(place))
}

/** Latitude of a packed place, given as two 32-bit halves. */
export function latOf(low: number, high: number): number {
  return (((gather((high ^ SIGN) >>> 1) << 16) | gather(low >>> 1)) >>> 0) * LAT_STEP - 90
}

/** Longitude of a packed place, given as two 32-bit halves. */
export function lonOf(low: number, high: number): number {
  return (((gather(high ^ SIGN) << 16) | gather(low)) >>> 0) * LON_STEP - 180
}

/** The sign bit of a packed place, inverted so that numbers ascend from the south pole. */
const SIGN = 0x8000_0000 | 0

/** Steps from the south pole or the date line; 0 .. 2^32 - 1. */
function gridNumber(degrees: number, step: number): number {
  return Math.min(Math.floor(degrees / step) + HALF, 2 ** 32 - 1) >>> 0
}

/** Spreads the 16 low bits of a number, with a free bit above each. */
function spread(bits: number): number {
  let spaced = bits & 0xffff
  spaced = (spaced | (spaced << 8)) & 0x00ff_00ff
  spaced = (spaced | (spaced << 4)) & 0x0f0f_0f0f
  spaced = (spaced | (spaced << 2)) & 0x3333_3333
  return (spaced | (spaced << 1)) & 0x5555_5555
}

/** The inverse of `spread`: takes every second bit, starting at the lowest. */
function gather(bits: number): number {
  let packed = bits & 0x5555_5555
  packed = (packed | (packed >>> 1)) & 0x3333_3333
  packed = (packed | (packed >>> 2)) & 0x0f0f_0f0f
  packed = (packed | (packed >>> 4)) & 0x00ff_00ff
  return (packed | (packed >>> 8)) & 0xffff
}
