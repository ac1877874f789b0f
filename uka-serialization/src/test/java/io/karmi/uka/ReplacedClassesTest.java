package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Streams that say which classes they replace, as those of remote calls do. */
public class ReplacedClassesTest {
  /** Enough for code to be generated for each class. */
  private static final int MESSAGES = 150;

  static class Person implements Serializable {
    private static final long serialVersionUID = 1;
    final String name;

    Person(String name) {
      this.name = name;
    }
  }

  static final class Student extends Person {
    private static final long serialVersionUID = 1;

    Student(String name) {
      super(name);
    }
  }

  record Substitute(String name) implements Serializable {}

  static final class Pair implements Serializable {
    private static final long serialVersionUID = 1;
    int number = 7;
    Object left;
    Object right;

    Pair(Object left, Object right) {
      this.left = left;
      this.right = right;
    }
  }

  /** Replaces persons, and says so. */
  static final class Substituting extends UkaObjectOutputStream {
    final List<Object> shown = new ArrayList<>();

    Substituting(OutputBuffer out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      shown.add(object);
      return object instanceof Person person ? new Substitute(person.name) : object;
    }

    @Override
    protected boolean mayReplace(Class<?> type) {
      return Person.class.isAssignableFrom(type);
    }

    boolean replaces(boolean whether) {
      return enableReplaceObject(whether);
    }
  }

  private final OutputBuffer sent = new OutputBuffer(16);
  private final Substituting out;
  private final InputBuffer received = new InputBuffer(new byte[0], 0, 0);
  private final UkaObjectInputStream in;

  public ReplacedClassesTest() throws IOException {
    out = new Substituting(sent);
    in = new UkaObjectInputStream(received);
  }

  private Object sendAndReceive(Object value) throws IOException, ClassNotFoundException {
    sent.position = 0;
    out.resetObjects();
    out.writeObject(value);
    received.bytes = sent.bytes;
    received.position = 0;
    received.limit = sent.position;
    in.resetObjects();
    Object result = in.readObject();
    assertThat(received.remaining()).as("bytes that are left").isZero();
    return result;
  }

  @Test
  public void objectsOfTheClassAreReplacedWhereverTheyAre() throws Exception {
    Substitute ann = new Substitute("ann");
    for (int message = 0; message < MESSAGES; message++) {
      assertThat(sendAndReceive(new Person("ann"))).isEqualTo(ann);
      assertThat(sendAndReceive(new Student("ann"))).isEqualTo(ann);
      Pair pair = (Pair) sendAndReceive(new Pair(new Student("ann"), 5));
      assertThat(pair.left).isEqualTo(ann);
      assertThat(pair.right).isEqualTo(5);
      assertThat((Object[]) sendAndReceive(new Object[] {"a", new Person("ann"), 1L, null}))
          .containsExactly("a", ann, 1L, null);
      List<Object> mixed = Arrays.asList(new Pair(1, 2), new Student("ann"), new Person("ann"));
      assertThat((List<?>) sendAndReceive(new ArrayList<>(mixed))).element(1).isEqualTo(ann);
      assertThat((List<?>) sendAndReceive(List.of(new Person("ann"), "b")))
          .isEqualTo(List.of(ann, "b"));
      assertThat(((Map<?, ?>) sendAndReceive(Map.of("key", new Student("ann")))).get("key"))
          .isEqualTo(ann);
    }
  }

  @Test
  public void runsOfOneClassEndWhereAnotherIsReplaced() throws Exception {
    for (int message = 0; message < MESSAGES; message++) {
      Object[] sixPairs = new Object[7];
      Arrays.setAll(sixPairs, i -> i == 3 ? new Person("ann") : new Pair(i, "text"));
      Object[] read = (Object[]) sendAndReceive(sixPairs);
      assertThat(read[3]).isEqualTo(new Substitute("ann"));
      assertThat(((Pair) read[6]).left).isEqualTo(6);
      assertThat(((Pair) read[6]).right).as("one text").isSameAs(((Pair) read[2]).right);
    }
  }

  @Test
  public void whatIsReplacedTwiceIsReplacedByOneObject() throws Exception {
    for (int message = 0; message < MESSAGES; message++) {
      Person ann = new Person("ann");
      Pair inner = new Pair(ann, ann);
      Pair read = (Pair) sendAndReceive(new Pair(new Pair(inner, ann), inner));
      Pair first = (Pair) read.left;
      assertThat(first.left).as("not replaced, and shared").isSameAs(read.right);
      assertThat(first.right).isEqualTo(new Substitute("ann"));
      assertThat(first.right).isSameAs(((Pair) read.right).left);
      assertThat(((Pair) read.right).left).isSameAs(((Pair) read.right).right);
    }
  }

  @Test
  public void otherObjectsAreNotShownOnceTheirClassIsKnown() throws Exception {
    Pair pair = new Pair(new Pair(1, "a"), new Pair(2L, List.of("b")));
    sendAndReceive(pair);
    sendAndReceive(pair);
    out.shown.clear();
    Pair read = (Pair) sendAndReceive(pair);
    assertThat(((Pair) read.right).right).isEqualTo(List.of("b"));
    assertThat(out.shown).isEmpty();
  }

  @Test
  public void theyAreWrittenAsByStreamsThatReplaceNothing() throws Exception {
    Pair pair = new Pair(new Pair(1, "a"), new Pair(2, 3));
    sendAndReceive(pair);
    sendAndReceive(pair);
    int length = sent.position;
    out.replaces(false);
    sendAndReceive(pair);
    assertThat(length).isEqualTo(sent.position);
  }

  @Test
  public void whoeverStopsReplacingGetsTheObjectsThemselves() throws Exception {
    Person ann = new Person("ann");
    assertThat(sendAndReceive(ann)).isInstanceOf(Substitute.class);
    out.replaces(false);
    assertThat(sendAndReceive(ann)).isInstanceOf(Person.class);
    assertThat(sendAndReceive(new Pair(ann, null))).isInstanceOf(Pair.class);
    out.replaces(true);
    assertThat(sendAndReceive(ann)).isInstanceOf(Substitute.class);
    assertThat(((Pair) sendAndReceive(new Pair(ann, null))).left).isInstanceOf(Substitute.class);
  }
}
