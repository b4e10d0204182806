import { ApiError, type PutStrategyRequest } from '@aisle/contract'
import { scheduleProblems } from '../../domain/rules/schedule-check.ts'
import type { ServicePorts } from '../service-ports.ts'
import { putResource, STRATEGY } from './resources.ts'

/** Creates or replaces a strategy. @throws ApiError */
export async function putStrategy(
  ports: Pick<ServicePorts, 'writer' | 'resources'>,
  storeId: string,
  name: string,
  { enabled = true, ...request }: PutStrategyRequest,
  ifMatch?: string,
): Promise<string> {
  const problems = scheduleProblems(request.schedule)
  const [first] = problems
  if (first !== undefined) {
    throw new ApiError(first.code, first.message, { param: first.param, details: problems })
  }
  return putResource(ports, storeId, STRATEGY, name, { enabled, ...request }, ifMatch)
}
