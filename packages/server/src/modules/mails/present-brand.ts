import { BRAND_FONTS, SOCIAL_NETWORKS, THEME_COLOURS, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Shaped, Type } from '../../http/schema.ts'

const colours = Type.Object(
  Object.fromEntries(THEME_COLOURS.map((name) => [name, Type.Optional(Type.String({ examples: ['#1d4ed8'] }))])),
  {
    description: '`surface`: what the words stand on; `page`: around it; `onPrimary`: the words of a button. Words need a contrast of 4.5',
  },
)
const logo = Type.Object({
  src: Type.String(),
  darkSrc: Type.Optional(Type.String({ description: 'Shown where mails are dark' })),
  alt: Type.String({ description: 'What is read instead of it' }),
  width: Type.Integer({ minimum: LIMITS.brandLogoWidth.min, maximum: LIMITS.brandLogoWidth.max, description: 'Pixels' }),
})
const Sent = Type.Object(
  {
    logo: Type.Optional(Nullable(logo)),
    light: Type.Optional(colours),
    dark: Type.Optional(colours),
    font: Type.Optional(Type.Enum([...BRAND_FONTS])),
    radius: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.brandRadius, description: 'Of buttons; pixels' })),
    texts: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({ company: Type.Optional(Type.String()), address: Type.Optional(Type.String()), footer: Type.Optional(Type.String()) }),
        { description: 'By language; at the end of mails' },
      ),
    ),
    social: Type.Optional(
      Type.Array(Type.Object({ network: Type.Enum([...SOCIAL_NETWORKS]), url: Type.String() }), { maxItems: SOCIAL_NETWORKS.length }),
    ),
    linkHosts: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.brandLinkHosts,
        description: 'Where links may lead that begin with a token; none: wherever links may lead',
      }),
    ),
  },
  { title: 'Brand' },
)

export const BrandBody = Type.Object(
  { brand: Nullable(Sent) },
  {
    examples: [
      {
        brand: {
          light: { primary: '#0f766e', link: '#0f766e' },
          font: 'georgia',
          texts: { en: { company: 'Example Shop', address: '1 Market Street, Riyadh' } },
          social: [{ network: 'instagram', url: 'https://www.instagram.com/example' }],
        },
      },
    ],
  },
)
export const BrandSchema = Type.Object(
  { brand: Shaped<Brand>(Sent), isSet: Type.Boolean({ description: 'false: nobody said anything yet' }) },
  { title: 'BrandSetting' },
)
