import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Metrics } from './metrics-text.ts'

const TEXT = `# HELP searches Searches
searches{store="a \\"b\\", c",kind="search"} 3
searches{store="d",kind="multi"} 4
memory 1.5e9
seconds_bucket{le="0.1"} 2
seconds_bucket{le="1"} 4
seconds_bucket{le="+Inf"} 4
`

suite('the text of metrics', () => {
  test('samples are read with their labels', () => {
    const metrics = new Metrics(TEXT, 0)
    assert.equal(metrics.sum('searches'), 7)
    assert.equal(metrics.sum('searches', { store: 'a "b", c' }), 3)
    assert.equal(metrics.sum('memory'), 1.5e9)
    assert.equal(metrics.sum('absent'), 0)
  })

  test('quantiles lie within their bucket', () => {
    const metrics = new Metrics(TEXT, 0)
    assert.equal(metrics.quantile('seconds', 0.5), 0.1)
    assert.equal(metrics.quantile('seconds', 0.75), 0.55)
    assert.equal(metrics.quantile('absent', 0.5), undefined)
    assert.equal(metrics.quantile('seconds', 0.5, metrics), undefined)
  })

  test('a rate is what came since, by the second', () => {
    const later = new Metrics(TEXT.replace('} 3', '} 13'), 5_000)
    assert.equal(later.rate('searches', new Metrics(TEXT, 0)), 2)
  })
})
