import { TinySearcher } from '../../adapters/embedded/test/tiny-index.ts'
import { serve } from '../serve.ts'

await serve(() => new TinySearcher())
