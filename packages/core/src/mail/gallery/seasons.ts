/** Days of the year, and days of a person. */
import { band, beside, bullets, button, centered, heading, primary, soft, text, type Template } from './build.ts'

export const SEASONS: readonly Template[] = [
  {
    id: 'ramadan-eid',
    category: 'seasons',
    names: { en: 'Ramadan and Eid', ar: 'رمضان والعيد' },
    subject: ['Ramadan Kareem', 'رمضان كريم'],
    preheader: ['Our hours, our deliveries and a small present', 'أوقات عملنا وتوصيلنا وهدية صغيرة'],
    bands: [
      primary(
        heading(1, ['Ramadan Kareem', 'رمضان كريم'], 'center'),
        centered(['May this month bring you and your family peace and good company.', 'أعاده الله عليك وعلى أهلك بالخير واليمن والبركات.']),
      ),
      band(
        text(
          ['Dear {{name | customer}},', 'عزيزنا {{name | العميل}}،'],
          [
            'So that your evenings stay free, we changed a few things for this month:',
            'كي تبقى أمسياتك لك ولأهلك غيّرنا بعض الأمور خلال هذا الشهر:',
          ],
        ),
        bullets(
          [
            '**Delivery** until half an hour before iftar, and again after taraweeh',
            '**التوصيل** حتى نصف ساعة قبل الإفطار، ثم بعد صلاة التراويح',
          ],
          ['**Customer care** from ten in the morning until two at night', '**خدمة العملاء** من العاشرة صباحًا حتى الثانية بعد منتصف الليل'],
          [
            '**Eid presents** wrapped for free if you order ten days before',
            '**هدايا العيد** نغلّفها مجانًا لمن يطلبها قبل العيد بعشرة أيام',
          ],
        ),
        button(['See the Ramadan offers', 'عروض رمضان'], '/ramadan'),
      ),
    ],
  },
  {
    id: 'sale',
    category: 'seasons',
    names: { en: 'Sale', ar: 'تخفيضات' },
    subject: ['The sale begins today', 'بدأت التخفيضات اليوم'],
    preheader: ['Up to 40 % off until Sunday night', 'خصم يصل إلى 40٪ حتى مساء الأحد'],
    bands: [
      primary(
        heading(1, ['Up to 40 % off', 'خصم يصل إلى 40٪'], 'center'),
        centered([
          'From today until Sunday at midnight, online and in our shops',
          'من اليوم حتى منتصف ليل الأحد، في المتجر الإلكتروني والفروع',
        ]),
      ),
      band(
        text([
          'Hello {{name | there}}, once a year we make room for what is new. No codes and no small print: the price that you see is the price that you pay.',
          'مرحبًا {{name | بك}}، مرة في السنة نفسح المجال للجديد. بلا رموز ولا شروط خفية: السعر الذي تراه هو ما تدفعه.',
        ]),
        button(['Go to the sale', 'تسوّق التخفيضات'], '/sale', 'center'),
      ),
      beside(
        [
          heading(3, ['Home', 'المنزل']),
          text(['Kitchen, living room and garden from 20 % off', 'المطبخ والجلوس والحديقة بخصم يبدأ من 20٪']),
        ],
        [
          heading(3, ['Clothes', 'الملابس']),
          text(['Last season from 40 % off, in all sizes', 'ملابس الموسم الماضي بخصم 40٪ وبكل المقاسات']),
        ],
      ),
      soft(
        text([
          'While stocks last. What you buy in the sale can be sent back like everything else.',
          'العرض سارٍ حتى نفاد الكمية، ويمكنك إعادة ما تشتريه كأي طلب آخر.',
        ]),
      ),
    ],
  },
  {
    id: 'birthday',
    category: 'seasons',
    names: { en: 'Birthday', ar: 'يوم ميلاد' },
    subject: ['Happy birthday, {{name | dear friend}}', 'كل عام وأنت بخير يا {{name | صديقنا}}'],
    preheader: ['A present from all of us', 'هدية من جميعنا'],
    bands: [
      primary(heading(1, ['Happy birthday', 'كل عام وأنت بخير'], 'center')),
      band(
        centered([
          'Dear {{name | friend}}, thank you for another year with us. Please choose yourself something nice: until the end of the month you have **15 % off** everything.',
          'عزيزنا {{name | الصديق}}، شكرًا لعام آخر معنا. اختر لنفسك شيئًا جميلًا، فلك **خصم 15٪** على كل شيء حتى نهاية الشهر.',
        ]),
        button(['Choose my present', 'اختيار هديتي'], '/birthday', 'center'),
        centered(['The discount is already in your account; there is no code to type.', 'أضفنا الخصم إلى حسابك، فلا حاجة إلى أي رمز.']),
      ),
    ],
  },
]
