import { ApiError } from '@aisle/contract'

/**
 * Reports an error about a parameter as an error inside the parameter that contains it:
 * `value.per_page`.
 */
export function nestedError(holder: string, error: ApiError): ApiError {
  const at = (param: string | undefined) => (param === undefined ? undefined : `${holder}.${param}`)
  return new ApiError(error.code, error.message, {
    param: at(error.param),
    details: error.details.map(({ param, ...rest }) =>
      param === undefined ? rest : { param: `${holder}.${param}`, ...rest },
    ),
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
