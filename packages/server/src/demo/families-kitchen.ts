import { families } from './family.ts'

/** Cooking, baking, coffee and the table. */
export const KITCHEN_FAMILIES = families(`
  FP | Frying Pan | Home > Kitchen > Cookware | kitchen | kitchen | pan | 24-179
  kinds: Non-Stick, Ceramic, Carbon-Steel, Cast-Iron, Copper, Tri-Ply
  materials: cast iron, carbon steel, stainless steel, hand-hammered copper, forged aluminium
  measures: 20 cm, 24 cm, 26 cm, 28 cm, 30 cm
  tags: cooking, induction, dishwasher safe
  For all hobs, induction as well, and for the oven up to 260 degrees.
  Browns evenly from the middle to the edge.
  The handle stays cool and is riveted, not screwed.
  Comes seasoned with flax oil; fry, wipe, hang up.

  CA | Casserole | Home > Kitchen > Cookware | kitchen | kitchen | pan | 39-329
  kinds: Steel, Shallow, Oval, Enamelled, Enamelled Cast-Iron
  materials: enamelled cast iron, stainless steel, stoneware
  measures: 2 l, 3.5 l, 5 l, 7 l
  tags: cooking, stew, baking, induction
  From the hob to the oven to the table.
  The heavy lid returns the steam, so that a stew bastes itself.
  Enamel inside and out, nothing to season.
  Bakes a very good loaf of bread.

  KN | Chef's Knife | Home > Kitchen > Knives | kitchen | kitchen | knife | 25-249
  kinds: Everyday, Serrated, Santoku, Forged, Damascus, Hand-Forged
  materials: stainless steel, high-carbon steel, damascus steel with 67 layers
  measures: 13 cm, 16 cm, 18 cm, 20 cm, 24 cm
  tags: cooking, sharp, gift
  Ground by hand to an angle of 15 degrees, and sharp out of the box.
  A full tang and a handle of walnut balance it at the bolster.
  Slices a tomato under its own weight.
  Please keep it out of the dishwasher.

  CH | Chopping Board | Home > Kitchen > Knives | kitchen | wood | board | 14-129
  kinds: Plain, Juice-Groove, End-Grain, Double-Sided, Butcher Block
  materials: oak, walnut, beech, bamboo, recycled paper and resin
  measures: 30 cm, 40 cm, 50 cm
  tags: cooking, wood, gift
  Oiled by hand, and kind to blades.
  A groove all round catches what runs.
  Rubber feet hold it where you put it.

  CM | Coffee Maker | Home > Kitchen > Coffee & Tea | kitchen | kitchen | cup | 19-299
  kinds: Pour-Over, Moka Pot, French Press, Cold-Brew, Filter, Espresso
  materials: borosilicate glass, stainless steel, food-grade aluminium
  measures: 2 cups, 4 cups, 6 cups, 8 cups
  tags: coffee, breakfast, gift
  A fine steel filter: full taste, no paper.
  Keeps the pot warm for an hour.
  Comes apart in seconds and cleans in a minute.
  A wooden collar keeps your fingers cool.

  KT | Kettle | Home > Kitchen > Coffee & Tea | kitchen | kitchen | kettle | 29-179
  kinds: Whistling, Electric, Gooseneck, Glass Electric, Temperature-Control
  materials: stainless steel, borosilicate glass, enamelled steel
  measures: 0.8 l, 1.2 l, 1.7 l
  tags: tea, coffee, breakfast
  Boils a litre in three minutes and turns itself off.
  The gooseneck pours as slowly as you like.
  Five temperatures, from green tea to coffee.

  MG | Mug | Home > Kitchen > Tableware | kitchen | kitchen | cup | 8-39
  kinds: Everyday, Stacking, Enamel, Stoneware, Hand-Thrown, Travel
  materials: stoneware, porcelain, enamelled steel, double-walled glass
  measures: 200 ml, 300 ml, 400 ml
  tags: coffee, tea, gift
  Glazed by hand, so no two are the same.
  A handle with room for three fingers.
  Safe in the microwave and in the dishwasher.

  PL | Dinner Plates | Home > Kitchen > Tableware | kitchen | kitchen | wheel | 19-119
  kinds: Set of 2, Set of 4, Set of 6, Speckled Set of 4, Hand-Painted Set of 4
  materials: stoneware, bone china, recycled glass, porcelain
  measures: 21 cm, 25 cm, 28 cm
  tags: table, dishwasher safe
  Fired twice, so that knives leave no marks.
  Stacks well and warms well.
  Pieces can be bought one by one later on.

  MB | Mixing Bowls | Home > Kitchen > Baking | kitchen | kitchen | bowls | 15-89
  kinds: Nesting, Glass, Steel, Lidded, Stoneware
  materials: stainless steel, borosilicate glass, stoneware, melamine
  measures: set of 3, set of 4, set of 5
  tags: baking, cooking, storage
  A spout on one side, a grip on the other.
  They nest to the space of the largest.
  Silicone at the base keeps them still under a whisk.

  SJ | Storage Jars | Home > Kitchen > Storage | kitchen | wood | bottle | 12-79
  kinds: Clip-Top, Cork-Lid, Stackable, Bamboo-Lid, Ceramic
  materials: recycled glass, borosilicate glass and bamboo, stoneware
  measures: 0.5 l, 1 l, 1.5 l
  tags: pantry, storage, airtight
  Airtight: coffee, flour and biscuits keep as long as they should.
  A set of three, with labels to write on.
  Wide enough for a hand and a scoop.

  AP | Apron | Home > Kitchen > Textiles | living | living | shirt | 19-79
  kinds: Kids', Bib, Cross-Back, Denim, Linen
  materials: washed linen, organic cotton, denim
  tags: cooking, baking, gift
  Long ties go round and close in front.
  A pocket for the thermometer and one for the telephone.
  Softer with every wash.
`)
