package io.karmi.benchmarks.payloads;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;

/** Factory of collections, most of which programs commonly send and the papers' objects lack. */
public final class CommonPayloads {
  private static final long DAY_MILLIS = 86_400_000;

  /** "Hello, world" in Russian: no character but the space is of ISO 8859-1. */
  private static final String CYRILLIC = "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 ";

  private CommonPayloads() {}

  public static List<Date> dates() {
    return list(100, i -> new Date(1_700_000_000_000L + i * DAY_MILLIS));
  }

  public static List<LocalDate> localDates() {
    LocalDate first = LocalDate.of(2020, 1, 1);
    return list(100, first::plusDays);
  }

  public static List<BigDecimal> decimals() {
    return list(100, i -> BigDecimal.valueOf(123_400 + i, 2));
  }

  /** All their bits vary, as of those that programs make. */
  public static List<UUID> uuids() {
    Random random = new Random(4711);
    return list(100, i -> new UUID(random.nextLong(), random.nextLong()));
  }

  public static List<Customer.Status> constants() {
    return list(100, Customer::status);
  }

  public static List<Order> records() {
    return list(
        100,
        i -> new Order(20_261_121L + i, "customer " + i, i, 19.99, i % 2 == 0, "article " + i));
  }

  public static List<String> cyrillic() {
    return list(100, i -> CYRILLIC + i);
  }

  public static String[] stringArray() {
    String[] strings = new String[100];
    Arrays.setAll(strings, CommonPayloads::element);
    return strings;
  }

  public static List<Object> immutableList() {
    return List.of(element(1), element(2), element(3), 4, 5L, element(6));
  }

  public static List<String> elements() {
    return list(100, CommonPayloads::element);
  }

  /** ZCOT's map: as many numbers as asked for, by their names. */
  public static Map<String, Integer> keys(int count) {
    Map<String, Integer> map = new HashMap<>();
    for (int i = 0; i < count; i++) {
      map.put("key " + i, i + 1000);
    }
    return map;
  }

  /** The empty {@code map}, with a hundred numbers by their names. */
  public static Map<String, Integer> numbers(Map<String, Integer> map) {
    for (int i = 0; i < 100; i++) {
      map.put(element(i), i);
    }
    return map;
  }

  /** The empty {@code map}, with a hundred texts by their names. */
  public static Map<String, String> texts(Map<String, String> map) {
    for (int i = 0; i < 100; i++) {
      map.put(element(i), "value " + i);
    }
    return map;
  }

  /** As many elements as asked for. */
  public static <T> List<T> list(int size, IntFunction<T> element) {
    List<T> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(element.apply(i));
    }
    return list;
  }

  private static String element(int number) {
    return "element " + number;
  }
}
