package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.Test;

/**
 * The first objects of a class are reached by reflection, the others by code that is generated for
 * it; only a trace can tell, also in the middle of a stream.
 */
public class FirstObjectsTest {
  /** More than are reached by reflection. */
  private static final int MESSAGES = 150;

  static class Base implements Serializable {
    private static final long serialVersionUID = 1;
    private final int number;
    private final Object other;

    Base(int number, Object other) {
      this.number = number;
      this.other = other;
    }

    String text() {
      return number + " " + (other instanceof Base base ? base.text() : other);
    }
  }

  static final class Pair extends Base {
    private static final long serialVersionUID = 1;
    private final long wide;
    private final boolean flag;

    Pair(int number, Object other) {
      super(number, other);
      wide = number * 1_000_000_007L;
      flag = number % 2 == 0;
    }

    @Override
    String text() {
      return super.text() + " " + wide + " " + flag;
    }
  }

  static final class Small implements Serializable {
    private static final long serialVersionUID = 1;
    private final int a;
    private final String b;

    Small(int a, String b) {
      this.a = a;
      this.b = b;
    }
  }

  static final class Leaf implements Serializable {
    private static final long serialVersionUID = 1;
    final int x;
    final int y;

    Leaf(int x, int y) {
      this.x = x;
      this.y = y;
    }
  }

  @Test
  public void oneStreamReadsAndWritesAllOfThem() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new UkaObjectOutputStream(bytes);
    for (int i = 0; i < MESSAGES; i++) {
      out.writeObject(new Pair(i, new Base(-i, "end")));
    }
    ObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(((Base) in.readObject()).text())
          .isEqualTo(new Pair(i, new Base(-i, "end")).text());
    }
  }

  /** The first of a stream describes its class, and from the second on nothing changes any more. */
  @Test
  public void theBytesOfAnObjectAreTheSameWhicheverWayItIsReached() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new UkaObjectOutputStream(bytes);
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      bytes.reset();
      out.writeObject(new Small(7, "text"));
      out.reset();
      messages.add(bytes.toString(StandardCharsets.ISO_8859_1));
    }
    assertThat(messages.subList(1, MESSAGES)).containsOnly(messages.get(1));
  }

  @Test
  public void soAreThoseOfArrays() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new UkaObjectOutputStream(bytes);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES / 5; i++) {
      out.writeObject(leaves());
      out.reset();
      messages.add(bytes.toString(StandardCharsets.ISO_8859_1));
      bytes.writeTo(all);
      bytes.reset();
    }
    assertThat(messages.subList(1, messages.size())).containsOnly(messages.get(1));
    ObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(all.toByteArray()));
    for (int i = 0; i < messages.size(); i++) {
      assertThat((Leaf[]) in.readObject()).usingRecursiveComparison().isEqualTo(leaves());
    }
  }

  private static Leaf[] leaves() {
    Leaf[] leaves = new Leaf[10];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = new Leaf(i, 300 * i);
    }
    return leaves;
  }

  static final class Traced implements Serializable {
    private static final long serialVersionUID = 1;
    private int value = 5;

    @Override
    public String toString() {
      return "traced " + value;
    }
  }

  @Test
  public void theTraceTellsWhenCodeIsGenerated() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream trace = new ByteArrayOutputStream();
    System.setErr(new PrintStream(trace, true, StandardCharsets.UTF_8));
    System.setProperty("uka.trace", "access");
    try {
      ObjectOutputStream out = new UkaObjectOutputStream(new ByteArrayOutputStream());
      for (int i = 0; i < MESSAGES; i++) {
        out.writeObject(new Traced());
      }
    } finally {
      System.clearProperty("uka.trace");
      System.setErr(before);
    }
    List<String> lines =
        trace
            .toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.contains(Traced.class.getName()))
            .collect(Collectors.toList());
    assertThat(lines).hasSize(2);
    String ready = ".*: (reflection|(internal-)?unsafe)";
    assertThat(lines.get(0)).matches(ready);
    assertThat(lines.get(1)).doesNotMatch(ready);
  }
}
