package io.karmi.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.Test;

public class ArrayBoundTest {
  private static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(new ArrayBound(null, bytes.length));
      return in.readObject();
    }
  }

  @Test
  public void lengthThatTheBytesCannotFillIsRefused() throws Exception {
    byte[] array = bytes(new long[3]);
    ByteBuffer.wrap(array).putInt(array.length - 3 * Long.BYTES - Integer.BYTES, 10_000_000);
    assertThatThrownBy(() -> read(array)).isInstanceOf(InvalidClassException.class);

    byte[] list = bytes(new ArrayList<>());
    ByteBuffer.wrap(list).putInt(list.length - 1 - Integer.BYTES - 2 - Integer.BYTES, 10_000_000);
    assertThatThrownBy(() -> read(list)).isInstanceOf(InvalidClassException.class);
  }

  @Test
  public void lengthsOfNestedArraysAreAddedUp() throws Exception {
    Object[] nested = {};
    for (int i = 0; i < 100; i++) {
      nested = new Object[] {nested};
    }
    byte[] bytes = bytes(nested);
    for (int i = 0; i < bytes.length - 3; i++) {
      if (ByteBuffer.wrap(bytes).getInt(i) == 1 && bytes[i - 1] != 1) {
        ByteBuffer.wrap(bytes).putInt(i, bytes.length);
      }
    }
    assertThatThrownBy(() -> read(bytes)).isInstanceOf(InvalidClassException.class);
  }

  @Test
  public void collectionsOfEverySizeAreRead() throws Exception {
    for (int size : new int[] {0, 1, 2, 12, 13, 24, 25, 49, 97, 1000, 1537, 3073}) {
      List<Integer> list = new ArrayList<>();
      Map<Integer, Integer> map = new HashMap<>();
      for (int i = 0; i < size; i++) {
        list.add(i);
        map.put(i, null);
      }
      List<Object> all = new ArrayList<>(List.of(list, map, new LinkedHashMap<>(map)));
      all.addAll(List.of(new HashSet<>(list), new ArrayDeque<>(list), List.copyOf(list)));
      all.addAll(List.of(list.toArray(), new long[size], new char[size], new boolean[size]));
      all.addAll(List.of(Collections.nCopies(size, null).toArray(), new String[size]));
      for (Object each : all) {
        assertThat(bytes(read(bytes(each)))).hasSameSizeAs(bytes(each));
      }
      Hashtable<Integer, String> table = new Hashtable<>();
      IdentityHashMap<Integer, String> identities = new IdentityHashMap<>();
      for (Integer each : list) {
        table.put(each, "");
        identities.put(each, "");
      }
      for (Object each : Arrays.asList(table, identities, new PriorityQueue<>(list))) {
        assertThat(read(bytes(each)).toString()).hasSameSizeAs(each.toString());
      }
    }
  }
}
