import { ApiError } from '@aisle/contract'

/**
 * Reports an error about a parameter as an error inside the parameter that contains it:
 * `value.per_page`.
 */
export function nestedError(holder: string, error: ApiError): ApiError {
  const nested = <T extends { readonly param?: string | undefined; readonly message: string }>(
    fault: T,
  ): T => {
    const { param, message } = fault
    if (param === undefined) return fault
    const place = `${holder}.${param}`
    // The message names the same place.
    return { ...fault, param: place, message: message.replace(`\`${param}\``, `\`${place}\``) }
  }
  const { param, message } = nested({ param: error.param, message: error.message })
  return new ApiError(error.code, message, {
    param,
    details: error.details.map(nested),
    ...(error.retryAfterSeconds === undefined
      ? {}
      : { retryAfterSeconds: error.retryAfterSeconds }),
    cause: error,
  })
}

/** Runs code whose errors are about something inside a parameter. */
export async function within<T>(holder: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof ApiError ? nestedError(holder, error) : error
  }
}
