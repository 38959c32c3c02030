/** What brings people back to something that they looked at, or shows them what is new. */
import { band, beside, bullets, button, centered, heading, primary, soft, text, type Template } from './build.ts'

export const SHOPPING: readonly Template[] = [
  {
    id: 'cart-left',
    category: 'shopping',
    names: { en: 'Cart left behind', ar: 'سلة لم تكتمل' },
    subject: ['You left something in your cart', 'نسيت شيئًا في سلتك'],
    preheader: ['We kept it for you', 'احتفظنا به من أجلك'],
    bands: [
      band(
        heading(1, ['Your cart is still here', 'سلتك ما زالت بانتظارك']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'You put something into your cart and did not finish. No hurry: everything is as you left it, and nothing has been charged.',
            'أضفت منتجات إلى سلتك ولم تكمل الطلب. لا عجلة، فكل شيء كما تركته ولم يُخصم أي مبلغ.',
          ],
        ),
        button(['Back to my cart', 'العودة إلى السلة'], '/cart'),
      ),
      soft(
        heading(3, ['Still thinking it over?', 'ما زلت مترددًا؟']),
        bullets(
          ['Delivery in two to four days', 'توصيل خلال يومين إلى أربعة أيام'],
          ['Thirty days to send it back, free of charge', 'إعادة مجانية خلال ثلاثين يومًا'],
          ['Pay by card, by instalments or at the door', 'ادفع بالبطاقة أو بالتقسيط أو عند الاستلام'],
        ),
      ),
    ],
  },
  {
    id: 'back-in-stock',
    category: 'shopping',
    names: { en: 'Back in stock', ar: 'عاد إلى المخزون' },
    subject: ['It is back: {{event.product | what you waited for}}', 'عاد من جديد: {{event.product | ما كنت تنتظره}}'],
    preheader: ['You asked us to tell you', 'طلبت منا أن نخبرك'],
    bands: [
      primary(
        heading(1, ['It is back', 'عاد من جديد'], 'center'),
        centered([
          '{{event.product | The one you asked for}} is in stock again.',
          '{{event.product | المنتج الذي سألت عنه}} متوفر مرة أخرى.',
        ]),
      ),
      band(
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'You wanted to know, so you are among the first to hear it. Last time it was sold out within days, and we do not know when the next delivery comes.',
            'طلبت أن نعلمك، فأنت من أوائل من يصلهم الخبر. في المرة الماضية نفد خلال أيام، ولا نعلم متى تصل الدفعة التالية.',
          ],
        ),
        button(['Look at it', 'مشاهدة المنتج'], '/products'),
      ),
    ],
  },
  {
    id: 'price-drop',
    category: 'shopping',
    names: { en: 'Price drop', ar: 'انخفاض السعر' },
    subject: ['A better price for something you like', 'سعر أفضل لمنتج أعجبك'],
    preheader: ['On your list, and cheaper since today', 'في قائمتك وبسعر أقل منذ اليوم'],
    bands: [
      band(
        heading(1, ['The price went down', 'انخفض السعر']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            '**{{event.product | Something on your wish list}}** costs less since today. It is the same product, and the price holds while we have it.',
            'صار سعر **{{event.product | أحد المنتجات في قائمة أمنياتك}}** أقل منذ اليوم. المنتج نفسه، والسعر سارٍ حتى نفاد الكمية.',
          ],
        ),
      ),
      soft(
        centered(['New price', 'السعر الجديد']),
        heading(1, ['{{money SAR event.price | See it in the shop}}', '{{money SAR event.price | تجده في المتجر}}'], 'center'),
        button(['Get it at this price', 'اشترِ بهذا السعر'], '/wishlist', 'center'),
      ),
      band(
        text([
          'You get this email because the product is on your wish list. Take it off the list, and we stay silent about it.',
          'وصلتك هذه الرسالة لأن المنتج في قائمة أمنياتك. احذفه منها إن أردت ألا نراسلك بشأنه.',
        ]),
      ),
    ],
  },
  {
    id: 'new-arrivals',
    category: 'shopping',
    names: { en: 'New arrivals', ar: 'وصل حديثًا' },
    subject: ['New in this week', 'وصلنا هذا الأسبوع'],
    preheader: ['Three things that we like best ourselves', 'ثلاثة اختيارات هي الأحب إلينا'],
    bands: [
      primary(
        heading(1, ['Just arrived', 'وصل للتو'], 'center'),
        centered([
          'Our buyers unpacked a lot this week. These three stayed on their desks.',
          'وصل إلينا الكثير هذا الأسبوع، وهذه الثلاثة هي ما استوقفنا.',
        ]),
      ),
      beside(
        [
          heading(3, ['The useful one', 'الأنفع']),
          text(['Say in one sentence what it does better than the one at home.', 'اكتب في جملة واحدة بماذا يتفوق على ما لديهم في المنزل.']),
          button(['Look closer', 'نظرة أقرب'], '/new/1'),
        ],
        [
          heading(3, ['The beautiful one', 'الأجمل']),
          text(['Say what it is made of, and who made it.', 'اكتب ممّ صُنع ومن صنعه.']),
          button(['Look closer', 'نظرة أقرب'], '/new/2'),
        ],
        [
          heading(3, ['The small one', 'الأصغر']),
          text(['Say why it makes a good present.', 'اكتب لماذا يصلح هدية.']),
          button(['Look closer', 'نظرة أقرب'], '/new/3'),
        ],
      ),
      soft(button(['See all that is new', 'شاهد كل الجديد'], '/new', 'center')),
    ],
  },
]
