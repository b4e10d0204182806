/** The parameters of a picture. */
export interface PictureOptions {
  readonly picture: PictureName
  /** `#rrggbb` */
  readonly color: string
  /** Selects the scene, so that products of one kind look different. */
  readonly scene?: number
}

/** Backgrounds; W is the lightest tone. */
const BACKGROUNDS = [
  `<path fill='W' d='m0 88h120v32h-120z'/>`,
  `<circle cx='60' cy='58' r='48' fill='W'/>`,
  `<path fill='W' d='m0 0h64l-40 120h-24z'/>`,
] as const
/** Sizes of the products in a picture. */
const SCALES = [0.94, 0.84, 1] as const

/**
 * Draws a product picture: a shape in the product's colour with light, shadow and a background, as
 * an SVG document of 120 x 120 that needs no file, font or network.
 */
export function demoImage({ picture, color, scene = 0 }: PictureOptions): string {
  const shade = mix(color, '#000000', 0.35)
  const ground = mix(color, '#ffffff', 0.82)
  const scale = SCALES[Math.floor(scene / BACKGROUNDS.length) % SCALES.length]!
  const isMirrored = Math.floor(scene / BACKGROUNDS.length / SCALES.length) % 2 === 1
  const shape = SHAPES[picture]
  // The product is on the floor at 103, in any size; light falls on its left half.
  const across = isMirrored ? -scale : scale
  const place = `${across} 0 0 ${scale} ${round(60 - 60 * across)} ${round(103 - 103 * scale)}`
  return (
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 120'>` +
    `<rect width='120' height='120' fill='${ground}'/>` +
    BACKGROUNDS[scene % BACKGROUNDS.length]!.replace('W', mix(color, '#ffffff', 0.93)) +
    `<ellipse cx='60' cy='103' rx='42' ry='5' opacity='.13'/><g transform='matrix(${place})'>` +
    shape.replaceAll('C', color).replaceAll('D', shade) +
    `<clipPath id='l'><path d='m0 0h66l-20 120h-46z'/></clipPath>` +
    `<g clip-path='url(#l)' opacity='.15'>${shape.replaceAll(/[CD]/g, '#fff')}</g></g></svg>`
  )
}

/** The picture as a `data:` URI, for an `img` element. Only what a URI cannot hold is escaped. */
export function demoImageUri(options: PictureOptions): string {
  const escaped = demoImage(options).replaceAll(/[#<>%]/g, (sign) => encodeURIComponent(sign))
  return `data:image/svg+xml,${escaped}`
}

/**
 * Elements with `C` for the colour and `D` for its shade. Path letters are lower case because of
 * that.
 */
const SHAPES = {
  tent: `<path fill='C' d='m60 24 46 72h-92z'/><path fill='D' d='m60 52 18 44h-36z'/>`,
  bag: `<rect x='34' y='20' width='52' height='82' rx='18' fill='C'/><path fill='D' d='m34 44h52v8h-52z'/>`,
  pack: `<rect x='32' y='28' width='56' height='72' rx='16' fill='C'/><path fill='D' d='m42 62h36v28h-36zm8-44h20v10h-20z'/>`,
  lamp: `<path fill='C' d='m40 26h40l12 40h-64z'/><path fill='D' d='m57 66h6v28h18v6h-42v-6h18z'/>`,
  bottle: `<rect x='44' y='38' width='32' height='66' rx='9' fill='C'/><path fill='D' d='m50 16h20v16h-20z'/>`,
  boot: `<path fill='C' d='m36 22h28v40l30 14v16h-58z'/><path fill='D' d='m32 92h64v9h-64z'/>`,
  shirt: `<path fill='C' d='m42 26 36 0 26 20-12 16-10-8v46h-44v-46l-10 8-12-16z'/><path fill='D' d='m50 26h20l-10 12z'/>`,
  jacket: `<path fill='C' d='m42 22h36l24 22v50h-16v-38 46h-52v-46 38h-16v-50z'/><path fill='D' d='m58 22h4v80h-4z'/>`,
  trousers: `<path fill='C' d='m38 20h44l6 82h-20l-8-54-8 54h-20z'/><path fill='D' d='m38 20h44v8h-44z'/>`,
  hat: `<path fill='C' d='m26 76a34 42 0 0 1 68 0z'/><path fill='D' d='m22 76h76v12h-76z'/>`,
  wheel: `<circle cx='60' cy='60' r='40' fill='C'/><circle cx='60' cy='60' r='27' fill='D'/><circle cx='60' cy='60' r='23' fill='C'/>`,
  pan: `<circle cx='48' cy='66' r='32' fill='C'/><circle cx='48' cy='66' r='24' fill='D'/><path fill='D' d='m72 44 32-24 6 8-32 24z'/>`,
  knife: `<path fill='C' d='m20 78 62-50q14 22-22 44z'/><path fill='D' d='m20 78 16-4-6 26-14 2z'/>`,
  cup: `<path fill='C' d='m32 36h46v54q0 10-10 10h-26q-10 0-10-10z'/><path fill='D' d='m78 48h18v30h-18v-8h10v-14h-10z'/>`,
  board: `<rect x='40' y='14' width='40' height='92' rx='18' fill='C'/><circle cx='60' cy='30' r='6' fill='D'/>`,
  cushion: `<path fill='C' d='m24 28q36 10 72 0-8 32 0 64-36-10-72 0 8-32 0-64z'/><circle cx='60' cy='60' r='5' fill='D'/>`,
  chair: `<path fill='C' d='m38 18h44v50h-44z'/><path fill='D' d='m32 68h56v10h-6v26h-8v-26h-28v26h-8v-26h-6z'/>`,
  table: `<path fill='C' d='m18 44h84v12h-84z'/><path fill='D' d='m26 56h9v44h-9zm59 0h9v44h-9zm-50 16h50v7h-50z'/>`,
  pot: `<path fill='C' d='m32 56h56l-8 46h-40z'/><path fill='D' d='m28 46h64v12h-64zm29-26h6v26h-6z'/>`,
  fireBowl: `<path fill='C' d='m22 62h76q-4 30-38 30t-38-30z'/><path fill='D' d='m18 56h84v8h-84zm20 32h8l-6 15h-7zm36 0h8l5 15h-7z'/><path fill='C' d='m60 14q20 18 8 38h-16q-12-20 8-38z'/>`,
  bowls: `<path fill='C' d='m24 68h72q-4 35-36 35t-36-35z'/><path fill='D' d='m20 60h80v8h-80zm14-16h52v7h-52z'/><path fill='C' d='m38 51h44v9h-44z'/>`,
  tool: `<path fill='C' d='m54 14h12v58h-12z'/><path fill='D' d='m42 72h36v12h-4v20h-6v-20h-5v22h-6v-22h-5v20h-6v-20h-4z'/>`,
  stove: `<rect x='38' y='66' width='44' height='37' rx='10' fill='C'/><path fill='D' d='m54 50h12v18h-12zm-26-18h64v6h-10l-14 14h-16l-14-14h-10z'/><path fill='C' d='m60 4q16 14 0 27-16-13 0-27z'/>`,
  coolBox: `<path fill='C' d='m22 52h76v51h-76z'/><path fill='D' d='m18 38h84v14h-84zm20-16h44v16h-6v-9h-32v9h-6z'/>`,
  kettle: `<path fill='C' d='m36 50h48l8 53h-64z'/><path fill='D' d='m42 40h36v10h-36zm14-10h8v10h-8zm29 26 19-10v10l-15 16zm-51 0h-18v36h13v-8h-5v-20h9z'/>`,
  hammock: `<path fill='C' d='m12 42q48 40 96 0-12 52-48 52t-48-52z'/><path fill='D' d='m8 20h6v83h-6zm98 0h6v83h-6z'/>`,
  poles: `<path fill='C' d='m40 18h6l8 85h-4zm34 0h6l-10 85h-4z'/><path fill='D' d='m38 14h10l1 18h-9zm34 0h10l-1 18h-9zm-27 76h14v4h-14zm16 0h14v4h-14z'/>`,
  can: `<path fill='C' d='m44 50h44v53h-44z'/><path fill='D' d='m44 92-26-44-8 4-4-8 18-9 20 33zm12-42q8-28 32-14l12 20v30h-8v-28l-8-14q-14-8-20 6z'/>`,
  shelf: `<path fill='C' d='m34 14h52v89h-52z'/><path fill='D' d='m40 20h40v20h-40zm0 26h40v20h-40zm0 26h40v20h-40z'/>`,
  glove: `<path fill='C' d='m42 90v-30l-16-20 8-8 10 12v-24h8v20l1-26h9l1 26 2-22h8v24l2-14h7v34l-6 28z'/><path fill='D' d='m42 90h34v13h-34z'/>`,
  candle: `<rect x='40' y='44' width='40' height='59' rx='4' fill='C'/><path fill='D' d='m58 34h4v10h-4zm2-26q11 14 0 24-11-10 0-24z'/>`,
  rug: `<path fill='C' d='m22 30h76v60h-76z'/><path fill='D' d='m30 38h60v5h-60zm0 39h60v5h-60zm20-26h20v18h-20z'/>`,
}
export type PictureName = keyof typeof SHAPES
export const PICTURE_NAMES = Object.keys(SHAPES) as PictureName[]

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** @param share 0 = all of `color`, 1 = all of `other` */
function mix(color: string, other: string, share: number): string {
  const part = (at: number): string =>
    Math.round(
      parseInt(color.slice(at, at + 2), 16) * (1 - share) +
        parseInt(other.slice(at, at + 2), 16) * share,
    )
      .toString(16)
      .padStart(2, '0')
  return `#${part(1)}${part(3)}${part(5)}`
}
