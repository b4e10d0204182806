/**
 * Every error code of the API with its HTTP status. A test keeps this table, `docs/errors.md` and
 * the OpenAPI document equal.
 */
export const ERROR_STATUS = {
  malformed_json: 400,
  invalid_parameter: 400,
  missing_parameter: 400,
  invalid_filter: 400,
  invalid_sort: 400,
  invalid_facet: 400,
  unknown_field: 400,
  field_not_facetable: 400,
  field_not_sortable: 400,
  field_not_searchable: 400,
  field_not_filterable: 400,
  invalid_type: 400,
  out_of_range: 400,
  schema_not_defined: 400,
  invalid_schema: 400,
  malformed_request: 400,
  invalid_unicode: 400,
  json_too_deep: 400,
  unknown_preset: 400,
  semantic_not_configured: 400,
  unknown_set: 400,
  unknown_collection: 400,
  invalid_event: 400,
  answer_too_large: 400,
  missing_credentials: 401,
  invalid_credentials: 401,
  forbidden: 403,
  invalid_csrf_token: 403,
  document_not_found: 404,
  store_not_found: 404,
  preset_not_found: 404,
  synonym_set_not_found: 404,
  stopword_set_not_found: 404,
  query_set_not_found: 404,
  collection_not_found: 404,
  rule_not_found: 404,
  strategy_not_found: 404,
  snapshot_not_found: 404,
  user_not_found: 404,
  schema_change_not_found: 404,
  edit_not_found: 404,
  restore_not_found: 404,
  source_not_found: 404,
  source_run_not_found: 404,
  experiment_not_found: 404,
  session_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  document_exists: 409,
  edit_running: 409,
  edit_not_undoable: 409,
  experiment_conflict: 409,
  experiment_ended: 409,
  restore_running: 409,
  source_running: 409,
  source_limit_reached: 409,
  store_exists: 409,
  user_exists: 409,
  schema_conversion_failed: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  source_unreadable: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  snapshot_failed: 500,
  internal: 500,
  restore_unsupported: 501,
  filter_timeout: 503,
  request_quarantined: 503,
  unavailable: 503,
  unread_answers: 503,
  disk_reserve: 507,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One fault of a request. */
export interface ErrorDetail {
  /** Path of the invalid value: `data.price`, `filter_by`, `documents[3].id`. */
  readonly param?: string
  readonly code: ErrorCode
  readonly message: string
}

/**
 * An expected failure, with a code from the registry. Domain code and services throw it; only the
 * HTTP layer turns it into a status and a body.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly param: string | undefined
  readonly details: readonly ErrorDetail[]
  /** Seconds until the caller may retry, for 429, 503 and 507. */
  readonly retryAfterSeconds: number | undefined
  /** When the next quota period begins, ISO 8601. */
  readonly resetAt: string | undefined
  /** JSON of what is stored, for `precondition_failed`. */
  readonly current: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      param?: string | undefined
      details?: readonly ErrorDetail[]
      retryAfterSeconds?: number
      resetAt?: string
      current?: string | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param
    this.details =
      options.details ??
      (options.param === undefined ? [] : [{ param: options.param, code, message }])
    this.retryAfterSeconds = options.retryAfterSeconds
    this.resetAt = options.resetAt
    this.current = options.current
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}
