package io.karmi.uka.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

public class HandleTableTest {
  private final HandleTable table = new HandleTable();

  @Test
  public void numbersCountFromZeroAndAreFoundAgain() {
    List<Object> objects = assign(5_000);
    for (int i = 0; i < objects.size(); i++) {
      assertThat(table.find(objects.get(i))).as("object " + i).isEqualTo(i);
    }
    assertThat(table.find(new Object())).isEqualTo(-1);
    assertThat(table.size()).isEqualTo(5_000);
  }

  @Test
  public void largeAndSmallMessagesFollowEachOther() {
    for (int count : new int[] {70_000, 40, 140_000, 3, 5_000, 100, 9, 66_000}) {
      List<Object> objects = assign(count);
      for (int i = 0; i < count; i += 7) {
        assertThat(table.find(objects.get(i))).as(i + " of " + count).isEqualTo(i);
      }
      assertThat(table.find(new Object())).isEqualTo(-1);
      table.clear();
      assertThat(table.find(objects.get(count - 1))).isEqualTo(-1);
    }
  }

  @Test
  public void equalObjectsAreDifferent() {
    String first = new String("same");
    String second = new String("same");
    table.assign(first);
    assertThat(table.find(second)).isEqualTo(-1);
    assertThat(table.assign(second)).isEqualTo(1);
    assertThat(table.find(first)).isZero();
  }

  @Test
  public void anyNumberOfEqualStringsAndBoxesIsKeptApart() {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      objects.add(i % 3 == 0 ? new StringBuilder("same").toString() : Long.valueOf(1_000 + i % 2));
      assertThat(table.findOrAssign(objects.get(i))).isEqualTo(-1);
    }
    for (int i = 0; i < objects.size(); i++) {
      assertThat(table.find(objects.get(i))).isEqualTo(i);
      assertThat(table.findOrAssign(objects.get(i))).isEqualTo(i);
    }
  }

  @Test
  public void stringsOfEveryLengthAreFoundAgainAndEqualOnesKeptApart() {
    List<String> texts = new ArrayList<>();
    for (int length = 0; length < 300; length++) {
      for (String character : List.of("a", "\u00ff", "\u20ac")) {
        texts.add(new String(character.repeat(length)));
        texts.add(new String(character.repeat(length)));
      }
    }
    for (String text : texts) {
      assertThat(table.findOrAssignText(text)).isEqualTo(-1);
    }
    for (int i = 0; i < texts.size(); i++) {
      assertThat(table.find(texts.get(i))).isEqualTo(i);
      assertThat(table.findOrAssignText(texts.get(i))).isEqualTo(i);
    }
  }

  @Test
  public void valuesAndOthersInEveryMixture() {
    for (int period = 1; period < 12; period++) {
      List<Object> objects = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        objects.add(i % period == 0 ? new Object() : (Object) new StringBuilder("v").toString());
        assertThat(table.findOrAssign(objects.get(i))).isEqualTo(-1);
        assertThat(table.findOrAssign(objects.get(i / 2))).isEqualTo(i / 2);
      }
      for (int i = 0; i < objects.size(); i++) {
        assertThat(table.find(objects.get(i))).isEqualTo(i);
      }
      table.truncate(10 * period);
      for (int i = 0; i < objects.size(); i++) {
        assertThat(table.find(objects.get(i))).isEqualTo(i < 10 * period ? i : -1);
      }
      table.clear();
    }
  }

  @Test
  public void manyAtOnceGetTheNumbersThatTheyWouldGetOneByOne() {
    HandleTable oneByOne = new HandleTable();
    Random random = new Random(17);
    for (int message = 0; message < 60; message++) {
      List<Object> met = new ArrayList<>();
      for (int batch = 0; batch < 1 + message % 7; batch++) {
        @Nullable Object[] objects = mixture(random, 1 + random.nextInt(600), met);
        int[] found = new int[objects.length];
        int before = table.size();
        int fresh = table.findOrAssignAll(objects, 0, objects.length, found);
        assertThat(table.size()).isEqualTo(before + fresh);
        for (int i = 0; i < objects.length; i++) {
          int expected = objects[i] == null ? HandleTable.NULL : oneByOne.findOrAssign(objects[i]);
          assertThat(found[i]).isEqualTo(expected);
        }
      }
      assertThat(table.size()).isEqualTo(oneByOne.size());
      met.forEach(object -> assertThat(table.find(object)).isEqualTo(oneByOne.find(object)));
      table.clear();
      oneByOne.clear();
    }
  }

  @Test
  public void newElementsOfAListGetNumbersUpToOneThatIsNotNew() {
    HandleTable oneByOne = new HandleTable();
    Random random = new Random(18);
    for (int message = 0; message < 200; message++) {
      List<Object> met = new ArrayList<>();
      for (int batch = 0; batch < 1 + message % 5; batch++) {
        List<@Nullable Object> list = Arrays.asList(mixture(random, 1 + random.nextInt(600), met));
        for (int i = 0; i < list.size(); i++) {
          Class<?> type = list.get(i) == null ? Object.class : list.get(i).getClass();
          int before = table.size();
          int fresh = table.assignNew(list, i, list.size() - i, type);
          assertThat(table.size()).isEqualTo(before + fresh);
          for (int end = i + fresh; i < end; i++) {
            assertThat(list.get(i)).isExactlyInstanceOf(type).isSameAs(table.get(before++));
            assertThat(oneByOne.findOrAssign(list.get(i))).isEqualTo(-1);
          }
          if (i < list.size() && list.get(i) != null) {
            int expected = oneByOne.findOrAssign(list.get(i));
            assertThat(expected >= 0 || list.get(i).getClass() != type || fresh == 0).isTrue();
            assertThat(table.findOrAssign(list.get(i))).isEqualTo(expected);
          }
        }
      }
      assertThat(table.size()).isEqualTo(oneByOne.size());
      met.forEach(object -> assertThat(table.find(object)).isEqualTo(oneByOne.find(object)));
      table.clear();
      oneByOne.clear();
    }
  }

  @Test
  public void aListThatAnotherThreadShortensEndsWhereItEnds() {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      list.add(1_000 + i);
    }
    assertThat(table.assignNew(list, 10, 60, Integer.class)).isEqualTo(40);
    assertThat(table.size()).isEqualTo(40);
  }

  @Test
  public void numbersInAnyStepsAreSpreadAsIfByChance() {
    HandleTable hashes = new HandleTable();
    int slots = 1 << 13;
    for (long step = 1; step < 1L << 40; step = step * 3 / 2 + 1) {
      Set<Integer> taken = new HashSet<>();
      for (int i = 0; i < slots / 4; i++) {
        taken.add(Hashes.spread(hashes.hashOfValue(1_700_000_000_000L + i * step)) & slots - 1);
      }
      assertThat(taken.size()).as("steps of " + step).isGreaterThan(slots / 4 * 3 / 4);
    }
  }

  private static @Nullable Object[] mixture(Random random, int length, List<Object> met) {
    int kinds = 1 + random.nextInt(6);
    @Nullable Object[] objects = new @Nullable Object[length];
    for (int i = 0; i < length; i++) {
      int value = random.nextInt(500);
      objects[i] =
          switch (random.nextInt(kinds)) {
            case 0 -> new StringBuilder().append(value).toString();
            case 1 -> Integer.valueOf(value);
            case 2 -> Long.valueOf(value);
            case 3 -> random.nextBoolean() ? new Object() : (Object) Double.valueOf(value);
            case 4 -> met.isEmpty() ? "" : met.get(random.nextInt(met.size()));
            default -> null;
          };
      if (objects[i] != null) {
        met.add(objects[i]);
      }
    }
    return objects;
  }

  @Test
  public void elementsOfOneClassGetNumbersUpToTheFirstOtherOrKnownOne() {
    for (int known = -1; known < 100; known += 3) {
      Object[] elements = new Object[100];
      Arrays.setAll(elements, i -> new AtomicInteger(i));
      int other = (known + 50) % 100;
      elements[other] = "other";
      table.assign("first");
      if (known >= 0) {
        table.assign(elements[known]);
      }
      int from = 0;
      while (from < elements.length) {
        int first = table.size();
        int taken =
            table.assignNew(elements, from, elements.length - from, AtomicInteger.class, null);
        for (int i = 0; i < taken; i++) {
          assertThat(table.get(first + i)).isSameAs(elements[from + i]);
          assertThat(table.find(elements[from + i])).isEqualTo(first + i);
          assertThat(from + i).isNotIn(known, other);
        }
        from += taken;
        if (from < elements.length) {
          int expected = from == known ? 1 : -1;
          assertThat(table.findOrAssign(elements[from])).isEqualTo(expected);
          from++;
        }
      }
      assertThat(table.size()).isEqualTo(101);
      table.clear();
    }
  }

  @Test
  public void manyAtOnceInATableOfMoreNumbersThanAreNarrow() {
    List<Object> objects = assign(100_000);
    Object[] more = new Object[400];
    Arrays.setAll(more, i -> i % 2 == 0 ? new StringBuilder("v").append(i).toString() : -i);
    int[] found = new int[more.length];
    assertThat(table.findOrAssignAll(more, 0, more.length, found)).isEqualTo(400);
    assertThat(table.findOrAssignAll(more, 0, more.length, found)).isZero();
    for (int i = 0; i < more.length; i++) {
      assertThat(found[i]).isEqualTo(100_000 + i);
    }
    Object[] elements = {new AtomicInteger()};
    assertThat(table.assignNew(elements, 0, 1, AtomicInteger.class, null)).isLessThanOrEqualTo(1);
    assertThat(table.find(objects.get(99_999))).isEqualTo(99_999);
  }

  @Test
  public void theLastNumberCounts() {
    for (int others : new int[] {0, 20, 200}) {
      Object twice = "twice";
      table.assign(twice);
      assign(others, 1);
      int last = table.assign(twice);
      assertThat(table.find(twice)).isEqualTo(last);
      assign(1_000, last + 1);
      assertThat(table.find(twice)).isEqualTo(last);
      table.clear();
    }
  }

  @Test
  public void aNumberGivenToNobodyIsNeverFound() {
    for (int i = 0; i < 100; i++) {
      Object object = new Object();
      assertThat(table.assign(null)).isEqualTo(2 * i);
      assertThat(table.find(object)).isEqualTo(-1);
      assertThat(table.assign(object)).isEqualTo(2 * i + 1);
      assertThat(table.find(object)).isEqualTo(2 * i + 1);
    }
  }

  @Test
  public void clearForgetsEverythingAtEverySize() {
    for (int count = 0; count < 300; count += 7) {
      List<Object> objects = assign(count);
      table.clear();
      for (Object object : objects) {
        assertThat(table.find(object)).isEqualTo(-1);
      }
      assertThat(table.assign(new Object())).as("first number after clear").isZero();
      table.clear();
    }
  }

  @Test
  public void truncateKeepsWhatCameBefore() {
    for (int keep : new int[] {0, 3, 31, 32, 33, 200, 999}) {
      List<Object> objects = assign(1_000);
      table.truncate(keep);
      for (int i = 0; i < objects.size(); i++) {
        assertThat(table.find(objects.get(i))).isEqualTo(i < keep ? i : -1);
      }
      assertThat(table.assign(objects.get(999))).isEqualTo(keep);
      assertThat(table.find(objects.get(999))).isEqualTo(keep);
      table.clear();
    }
  }

  @Test
  public void noObjectIsKeptAliveOnceCleared() throws InterruptedException {
    WeakReference<Object> small = new WeakReference<>(assign(3).get(1));
    table.clear();
    WeakReference<Object> large = new WeakReference<>(assign(3_000).get(2_999));
    table.clear();
    long deadline = System.nanoTime() + 10_000_000_000L;
    while ((small.get() != null || large.get() != null) && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(small.get()).isNull();
    assertThat(large.get()).isNull();
  }

  private List<Object> assign(int count) {
    return assign(count, 0);
  }

  private List<Object> assign(int count, int first) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object object = new Object();
      objects.add(object);
      assertThat(table.assign(object)).isEqualTo(first + i);
    }
    return objects;
  }
}
