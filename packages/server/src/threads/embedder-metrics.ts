import type { EmbedderFigures } from '../adapters/embedders/embedding-server.ts'
import { Counter, Gauge, type Registry } from '../http/prometheus.ts'
import type { EmbeddingHost } from './hosted-threads.ts'

/** Figures of the embedders, read from their thread when metrics are. */
export function registerEmbedderMetrics(
  registry: Registry,
  host: Pick<EmbeddingHost, 'figures'>,
): void {
  const counter = (
    name: string,
    help: string,
    read: (figures: EmbedderFigures) => number,
  ): Counter =>
    new Counter({
      name: `aisle_embedder_${name}_total`,
      help,
      labelNames: ['embedder'],
      registers: [registry],
      async collect() {
        const all = await host.figures()
        this.reset()
        for (const figures of all) this.inc({ embedder: figures.name }, read(figures))
      },
    })
  counter('texts', 'Texts that got a vector or were refused', ({ texts }) => texts)
  counter('refused_texts', 'Texts refused by the model', ({ refusedTexts }) => refusedTexts)
  counter('calls', 'Calls of the embedder', ({ calls }) => calls)
  counter('failed_calls', 'Failed calls of the embedder', ({ failedCalls }) => failedCalls)
  counter(
    'seconds',
    'Seconds spent in calls of the embedder, including waiting',
    ({ seconds }) => seconds,
  )
  new Gauge({
    name: 'aisle_embedder_left_alone',
    help: '1 while an embedder is not called because it failed repeatedly',
    labelNames: ['embedder'],
    registers: [registry],
    async collect() {
      for (const { name, isBreakerOpen } of await host.figures()) {
        this.set({ embedder: name }, Number(isBreakerOpen))
      }
    },
  })
}
