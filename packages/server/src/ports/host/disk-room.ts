import { ApiError } from '@aisle/contract'

/** Free space on the disk of the data folder beyond the reserve. */
export interface DiskRoom {
  /** Negative if the reserve is in use and data must not grow. Updated every second. */
  bytes(): number
}

export const ENDLESS_ROOM: DiskRoom = { bytes: () => Infinity }

const RETRY_SECONDS = 30

/** @param what the refused action, as in "Cannot …" @throws ApiError disk_reserve */
export function requireRoom(room: DiskRoom, what: string): void {
  if (room.bytes() < 0) throw diskReserve(what)
}

export function diskReserve(what: string): ApiError {
  return new ApiError(
    'disk_reserve',
    `Cannot ${what}: free disk space is down to the reserve. Searches, reads and deletes still work; free up disk space`,
    { retryAfterSeconds: RETRY_SECONDS },
  )
}
