import type {
  Experiment,
  ExperimentList,
  ExperimentReportParameters,
  ExperimentWithReport,
  PublishedExperiment,
  PublishExperimentRequest,
  StartExperimentRequest,
} from '@aisle/contract'
import { pathSegment } from './path-segment.ts'
import { StoreSources } from './store-sources.ts'
import type { AnyDocument } from './store-search.ts'
import { textQuery } from './text-query.ts'

/** The experiments of a store: drafts against what is live, on visitors. */
export class StoreExperiments<Document = AnyDocument> extends StoreSources<Document> {
  /** The newest first. */
  experiments(): Promise<ExperimentList> {
    return this.call('write', 'GET', '/experiments')
  }

  startExperiment(request: StartExperimentRequest): Promise<Experiment> {
    return this.call('write', 'POST', '/experiments', { body: request })
  }

  /** An experiment with its report. */
  experiment(
    id: string,
    parameters: ExperimentReportParameters = {},
  ): Promise<ExperimentWithReport> {
    const query = textQuery(parameters)
    return this.call('write', 'GET', `/experiments/${pathSegment(id)}`, { query })
  }

  /** Ends an experiment; what is live stays. */
  endExperiment(id: string): Promise<Experiment> {
    return this.call('write', 'POST', `/experiments/${pathSegment(id)}/end`)
  }

  /** Makes the draft of an experiment live, and ends it. */
  publishExperiment(
    id: string,
    request: PublishExperimentRequest = {},
  ): Promise<PublishedExperiment> {
    const path = `/experiments/${pathSegment(id)}/publish`
    return this.call('write', 'POST', path, { body: request })
  }
}
