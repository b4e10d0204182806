import { ModelRunner, type ModelFolder } from './model-runner.ts'

/** A message to the process of a model: the folder first, then batches of texts. */
export type ModelRequest =
  | { readonly folder: ModelFolder }
  | { readonly id: number; readonly texts: readonly string[] }

/** `id` 0 answers the folder. */
export type ModelAnswer =
  | { readonly id: number; readonly vectors: readonly (Float32Array | undefined)[] }
  | { readonly id: number; readonly error: string }

/**
 * Entry of the process of a model. It is a process because the runtime aborts the process when a
 * thread that uses it is ended, and because a model may need more memory than there is. Its
 * priority is that of the thread that starts it.
 */
let runner: Promise<ModelRunner> | undefined

process.on('message', (request: ModelRequest) => void answer(request))
// The service has ended, perhaps by kill -9.
process.on('disconnect', () => process.exit(0))

async function answer(request: ModelRequest): Promise<void> {
  const id = 'id' in request ? request.id : 0
  try {
    if ('folder' in request) {
      runner = ModelRunner.open(request.folder)
      await runner
      send({ id, vectors: [] })
    } else {
      send({ id, vectors: await (await runner!).embed(request.texts) })
    }
  } catch (error) {
    send({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

function send(message: ModelAnswer): void {
  process.send?.(message)
}
