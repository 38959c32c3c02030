/** What people hear of an order. */
import { band, beside, bullets, button, divider, heading, line, primary, soft, text, type Template } from './build.ts'

export const ORDERS: readonly Template[] = [
  {
    id: 'receipt',
    category: 'orders',
    names: { en: 'Receipt', ar: 'إيصال الطلب' },
    subject: ['Your order {{event.orderId | }}: thank you', 'شكرًا لك، استلمنا طلبك {{event.orderId | }}'],
    preheader: ['What you bought, and when it is with you', 'تفاصيل ما اشتريت وموعد وصوله'],
    bands: [
      band(
        heading(1, ['Thank you for your order', 'شكرًا لطلبك']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'We have your order and are getting it ready. You hear from us again as soon as it is on its way.',
            'استلمنا طلبك وبدأنا تجهيزه، وسنخبرك حالما يخرج إليك.',
          ],
        ),
        divider,
      ),
      line(text(['Order', 'رقم الطلب']), text(['{{event.orderId | in your account}}', '{{event.orderId | في حسابك}}'])),
      line(text(['Paid by', 'طريقة الدفع']), text(['{{event.paidBy | card}}', '{{event.paidBy | بطاقة}}'])),
      line(
        text(['**Total**', '**الإجمالي**']),
        text(['**{{money SAR event.total | see your account}}**', '**{{money SAR event.total | في حسابك}}**']),
      ),
      band(divider, button(['See my order', 'عرض طلبي'], '/orders')),
      soft(
        text([
          'Something is not right? You can change or cancel the order on its page until we pack it.',
          'هل هناك خطأ؟ يمكنك تعديل الطلب أو إلغاؤه من صفحته قبل أن نغلّفه.',
        ]),
      ),
    ],
  },
  {
    id: 'order-shipped',
    category: 'orders',
    names: { en: 'Order shipped', ar: 'خرج الطلب للتوصيل' },
    subject: ['Your order is on its way', 'طلبك في الطريق إليك'],
    preheader: ['See where your parcel is at any time', 'تابع شحنتك في أي وقت'],
    bands: [
      primary(heading(1, ['It is on its way', 'طلبك في الطريق'], 'center')),
      band(
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'Your parcel left our warehouse today. It should be with you by **{{date event.arrivesOn | the end of this week}}**.',
            'غادرت شحنتك مستودعنا اليوم، ويُتوقع أن تصلك **{{date event.arrivesOn | خلال هذا الأسبوع}}**.',
          ],
        ),
        button(['Follow my parcel', 'تتبّع الشحنة'], '/orders/tracking'),
      ),
      beside(
        [
          heading(3, ['Not at home?', 'لن تكون في المنزل؟']),
          text(['Choose another day or a neighbour on the tracking page.', 'اختر يومًا آخر أو من يستلم عنك من صفحة التتبع.']),
        ],
        [
          heading(3, ['Changed your mind?', 'غيّرت رأيك؟']),
          text(['You have thirty days to send it back, free of charge.', 'أمامك ثلاثون يومًا لإعادته مجانًا.']),
        ],
      ),
    ],
  },
  {
    id: 'order-delivered',
    category: 'orders',
    names: { en: 'Order delivered', ar: 'وصل الطلب' },
    subject: ['Your order has arrived', 'وصل طلبك'],
    preheader: ['Is everything as it should be?', 'هل كل شيء كما ينبغي؟'],
    bands: [
      band(
        heading(1, ['It has arrived', 'وصلت شحنتك']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'Our driver tells us that your order was delivered. We hope that it is just what you wanted.',
            'أخبرنا المندوب أن طلبك قد سُلِّم، ونرجو أن يكون كما تمنيت.',
          ],
        ),
      ),
      beside(
        [
          heading(3, ['All is well', 'كل شيء على ما يرام']),
          text(['Others would like to know what you think of it.', 'رأيك يفيد غيرك ممن يفكرون في الشراء.']),
          button(['Write a review', 'كتابة تقييم'], '/orders/review'),
        ],
        [
          heading(3, ['Something is wrong', 'هناك مشكلة']),
          text(['Damaged, missing, or the wrong size? We put it right.', 'تالف أو ناقص أو مقاس غير مناسب؟ سنعالج الأمر.']),
          button(['Get help', 'طلب المساعدة'], '/help'),
        ],
      ),
      soft(
        bullets(
          ['Free to send back within thirty days', 'إعادة مجانية خلال ثلاثين يومًا'],
          ['Your money is back within five days', 'استرداد المبلغ خلال خمسة أيام'],
        ),
      ),
    ],
  },
]
