import type { DrawnPage, PageFiles, PageRenderer } from '../../ports/host/page-files.ts'

const RENDERER = 'render/render.js'

interface RendererModule {
  pageAddress(path: string, base: string): string
  renderPage(page: DrawnPage & { readonly template: string }): Promise<string>
}

/**
 * Renders pages with the code that was built with them. It is loaded on the first request, from
 * memory, so that pages and code are of the same build.
 */
export function openPageRenderer(files: PageFiles | undefined): PageRenderer | undefined {
  const code = files?.find(RENDERER)
  const page = files?.find('index.html')
  if (code === undefined || page === undefined) return undefined
  let loaded: Promise<RendererModule> | undefined
  const template = page.read('identity').toString()
  const load = (): Promise<RendererModule> => {
    const text = code.read('identity').toString('base64')
    return import(`data:text/javascript;base64,${text}`) as Promise<RendererModule>
  }
  return {
    async addressOf(path, base) {
      const { pageAddress } = await (loaded ??= load())
      return pageAddress(path, base)
    },
    async render(drawn) {
      const { renderPage } = await (loaded ??= load())
      return await renderPage({ ...drawn, template })
    },
  }
}
