package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.Test;

/** Graphs that are far deeper than the stack of the thread that writes and reads them. */
public class DeeperThanTheStackTest {
  private static final int DEPTH = 1_000_000;

  static final class Node implements Serializable {
    private static final long serialVersionUID = 1;
    int number;
    Node next;
    Object value;

    Node(int number, Node next) {
      this.number = number;
      this.next = next;
      value = number % 2 == 0 ? next : null;
    }
  }

  static final class Heir extends Parent {
    private static final long serialVersionUID = 1;
    final long number;
    final Object text;

    Heir(int number, Object next) {
      super(next);
      this.number = number;
      text = "text " + number;
    }
  }

  static class Parent implements Serializable {
    private static final long serialVersionUID = 1;
    final Object next;

    Parent(Object next) {
      this.next = next;
    }
  }

  record Cell(int number, Object rest, String last) implements Serializable {}

  private static Object copy(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  @Test
  public void aLinkedListOfAMillionNodes() throws Exception {
    Node list = null;
    for (int i = 0; i < DEPTH; i++) {
      list = new Node(i, list);
    }
    int count = 0;
    for (Node node = (Node) copy(list); node != null; node = node.next) {
      count++;
      if (node.number != DEPTH - count || (node.number % 2 == 0 && node.value != node.next)) {
        throw new AssertionError("node " + count + " is wrong");
      }
    }
    assertThat(count).isEqualTo(DEPTH);
  }

  @Test
  public void theFieldsOfASubclassFollowWhatItsSuperclassRefersTo() throws Exception {
    Heir list = null;
    for (int i = 0; i < 100_000; i++) {
      list = new Heir(i, list);
    }
    int count = 0;
    for (Heir heir = (Heir) copy(list); heir != null; heir = (Heir) heir.next) {
      count++;
      if (heir.number != 100_000 - count || !heir.text.equals("text " + heir.number)) {
        throw new AssertionError("heir " + count + " is wrong");
      }
    }
    assertThat(count).isEqualTo(100_000);
  }

  @Test
  public void recordsAndArraysInEachOther() throws Exception {
    Object rest = null;
    for (int i = 0; i < 100_000; i++) {
      rest = new Object[] {new Cell(i, rest, "last")};
    }
    int count = 0;
    for (Object cell = copy(rest); cell != null; count++) {
      Cell record = (Cell) ((Object[]) cell)[0];
      if (!record.last().equals("last")) {
        throw new AssertionError("cell " + count + " is wrong");
      }
      cell = record.rest();
    }
    assertThat(count).isEqualTo(100_000);
  }

  @Test
  public void replacementsAtAnyDepth() throws Exception {
    Object list = new Proxied("end");
    for (int i = 0; i < 10_000; i++) {
      list = new Object[] {list};
    }
    Object at = copy(list);
    while (at instanceof Object[] array) {
      at = array[0];
    }
    assertThat(at).isInstanceOf(Proxied.class).hasFieldOrPropertyWithValue("text", "end");
  }

  static final class Proxied implements Serializable {
    private static final long serialVersionUID = 1;
    final String text;

    Proxied(String text) {
      this.text = text;
    }

    private Object writeReplace() {
      return new Form(text);
    }
  }

  record Form(String text) implements Serializable {
    private Object readResolve() {
      return new Proxied(text);
    }
  }

  static final class Level implements Serializable {
    private static final long serialVersionUID = 1;
    Level below;
    Helper helper;
  }

  /** As an object of an inner class, which refers to the one around it. */
  static final class Helper implements Serializable {
    private static final long serialVersionUID = 1;
    Level back;
  }

  private static Object levels(int count) {
    Level top = null;
    for (int i = 0; i < count; i++) {
      Level level = new Level();
      level.below = top;
      level.helper = new Helper();
      level.helper.back = level;
      top = level;
    }
    return top;
  }

  /** Arrays in each other, each closed by a reference back from a child. */
  private static Object arrays(int count) {
    Object[] top = null;
    for (int i = 0; i < count; i++) {
      Object[] level = new Object[2];
      level[0] = top;
      level[1] = new Object[] {level};
      top = level;
    }
    return top;
  }

  private static final int LEVELS = 50_000;

  @Test
  public void referencesBackAtEachLevelAreReadInLinearTime() throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      assertLinear(write(levels(LEVELS), format), write(levels(4 * LEVELS), format));
      assertLinear(write(arrays(LEVELS), format), write(arrays(4 * LEVELS), format));
    }
  }

  private static byte[] write(Object value, UkaOptions.Format format) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** Four times as much takes sixteen times as long where time is quadratic. */
  private static void assertLinear(byte[] some, byte[] fourTimes) throws Exception {
    nanosToRead(some);
    double ratio = Double.MAX_VALUE;
    for (int attempt = 0; attempt < 5 && ratio > 8; attempt++) {
      ratio = Math.min(ratio, (double) nanosToRead(fourTimes) / nanosToRead(some));
    }
    assertThat(ratio).as("time to read four times as many levels").isLessThanOrEqualTo(8);
  }

  /** Of processor time of this thread: other programs do not count. */
  private static long nanosToRead(byte[] bytes) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    assertThat(new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject()).isNotNull();
    return threads.getCurrentThreadCpuTime() - start;
  }
}
