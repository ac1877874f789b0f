package io.karmi.uka.engine.read.cost;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.type.LocalClass;
import java.io.FilePermission;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps of the platform's methods that go through a long string, number, array or collection.
 *
 * <p>A reference to a long value takes a byte or two. So a message may give the same one to any
 * number of objects that copy it or parse it as they are read, or to a queue that compares it again
 * and again. A collection may have more elements than the message has bytes, as {@code nCopies}
 * makes them. Short values take no step. Not thread-safe.
 */
public final class ContentCost {
  /** Logarithms of what takes a step. */
  private static final int CHARS = 6;

  private static final int BITS = 9;

  /** The same of the square of a path's length: to leave out {@code a/..} goes through it again. */
  private static final int SQUARED_CHARS = 6;

  private static final int ELEMENTS = 5;

  /** Steps that take as long as to make a field of a descriptor. */
  private static final int STEPS_OF_FIELD = 1 << 4;

  /** Units of steps of long values after which the source is told that memory may have grown. */
  private static final int STEPS_PER_LOOK = 1 << 10;

  /** The platform's classes of a hierarchy that have references among their fields. */
  private static final ClassValue<LocalClass[]> WITH_REFERENCES =
      new ClassValue<>() {
        @Override
        protected LocalClass[] computeValue(Class<?> type) {
          return Stream.iterate(LocalClass.of(type), Objects::nonNull, level -> level.superclass)
              .filter(level -> !HashShape.isOfProgram(level.type))
              .filter(level -> level.description().references > 0)
              .toArray(LocalClass[]::new);
        }
      };

  private final StepBudget budget;

  /** Steps since the last look. */
  private long unseen;

  public ContentCost(StepBudget budget) {
    this.budget = budget;
  }

  /** Steps to compare a value of the platform's with one that is like it; of short ones 0. */
  static long stepsToCompare(Object value) {
    if (value instanceof BigDecimal number) {
      return stepsToScale(number.unscaledValue().bitLength());
    }
    long steps = stepsOf(value);
    for (LocalClass level : WITH_REFERENCES.get(value.getClass())) {
      FieldAccess access = access(level);
      for (int i = 0; access != null && i < access.references(); i++) {
        Object field = access.getReference(value, i);
        steps += field == null ? 0 : stepsOf(field);
      }
    }
    return steps;
  }

  /** Whether values of a class may be long. */
  static boolean isLong(Class<?> type) {
    return WITH_REFERENCES.get(type).length > 0;
  }

  /** Steps to go through a string, a big number or an array; of others 0. */
  private static long stepsOf(Object value) {
    if (value instanceof String text) {
      return text.length() >> CHARS;
    }
    if (value instanceof BigInteger number) {
      return number.bitLength() >> BITS;
    }
    if (value instanceof BigDecimal number) {
      return stepsToScale(number.unscaledValue().bitLength());
    }
    return value.getClass().isArray() ? Array.getLength(value) >> ELEMENTS : 0;
  }

  /**
   * Steps to bring a decimal and another one to one scale: a power of ten of as many digits is
   * made, in a time that grows faster than they do.
   */
  private static long stepsToScale(int bits) {
    double words = bits / Long.SIZE;
    return bits >> BITS == 0 ? 0 : (long) (2 * words * Math.sqrt(words));
  }

  /** Counts a value that is compared with others of a collection. */
  public void compare(@Nullable Object value) throws IOException {
    if (value != null) {
      add(stepsToCompare(value), value);
    }
  }

  /** Counts a value that a method of the platform has been given for an object of its class. */
  public void add(@Nullable Object value) throws IOException {
    if (value != null) {
      add(stepsOf(value), value);
      add(elementsOf(value), value);
    }
  }

  /** Counts the fields of a descriptor that is made for the program. */
  public void addDescriptor(int fields) throws IOException {
    if (fields > 0) {
      budget.add((long) fields * STEPS_OF_FIELD, ObjectStreamClass.class, "making descriptors");
    }
  }

  /** Elements of a collection of the platform's; 0 if it cannot say how many. */
  private static int elementsOf(Object value) {
    if (HashShape.isOfProgram(value.getClass())) {
      return 0;
    }
    try {
      return value instanceof Collection<?> collection
          ? collection.size()
          : value instanceof Map<?, ?> map ? map.size() : 0;
    } catch (RuntimeException | StackOverflowError e) {
      return 0; // it is being read, or its parts are nested too deep: the method fails as well
    }
  }

  /**
   * Counts what is in the fields of the platform's classes, and in the fields of that: a method may
   * ask a part for its own, as data of JMX ask their type.
   */
  public void addFields(Object object) throws IOException {
    for (LocalClass level : WITH_REFERENCES.get(object.getClass())) {
      addFields(object, level, true);
    }
    if (object instanceof FilePermission permission && permission.getName() != null) {
      long length = permission.getName().length();
      add(length * length >> SQUARED_CHARS, permission.getName());
    }
  }

  private void addFields(Object object, LocalClass level, boolean withParts) throws IOException {
    FieldAccess access = access(level);
    for (int i = 0; access != null && i < access.references(); i++) {
      Object part = access.getReference(object, i);
      add(part);
      if (withParts && part != null) {
        for (LocalClass ofPart : WITH_REFERENCES.get(part.getClass())) {
          addFields(part, ofPart, false);
        }
      }
    }
  }

  /** Null if its fields cannot be reached, so that no stream has set them either. */
  private static @Nullable FieldAccess access(LocalClass level) {
    try {
      return LocalFields.of(level).access(ByteOrder.LITTLE_ENDIAN);
    } catch (InvalidClassException e) {
      return null;
    }
  }

  private void add(long steps, Object value) throws IOException {
    if (steps > 0) {
      budget.add(steps, value.getClass(), "going through long values again and again");
      unseen += steps;
      if (unseen >= STEPS_PER_LOOK) {
        unseen = 0;
        budget.takeMemory(0);
      }
    }
  }
}
