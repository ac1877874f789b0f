package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Fields whose type says of what class each value is, and values that are of another after all. */
@RunWith(SameProgram.class)
public class ExactFieldsTest {
  enum Level {
    LOW,
    HIGH
  }

  static final class Tag implements Serializable {
    final String name;

    Tag(String name) {
      this.name = name;
    }
  }

  static class Entity implements Serializable {
    Integer count;
    Long id;
    Double price;
    Boolean active;
    Character letter;
    UUID key;
    LocalDate day;
    Level level;
    Tag tag;
    Tag[] tags;
    int[] numbers;
    char[][] rows;
    String[] names;
    Entity next;

    Entity(int i, Entity other) {
      count = i % 3 == 0 ? null : i % 3 == 1 ? Integer.valueOf(i << i % 24) : other.count;
      id = i % 5 == 0 ? other.id : Long.valueOf((long) i << i % 50);
      price = i % 4 == 0 ? other.price : Double.valueOf(i % 7 == 0 ? -0.0 : i * 0.1);
      active = i % 4 == 0 ? null : i % 4 == 1;
      letter = i % 2 == 0 ? other.letter : Character.valueOf((char) (i * 251));
      key = i % 3 == 0 ? other.key : new UUID(i, -i);
      day = i % 3 == 1 ? other.day : LocalDate.of(1900 + i, 1, 1);
      level = Level.values()[i % 2];
      tag = i % 3 == 0 ? other.tag : new Tag("tag " + i % 10);
      tags = i % 2 == 0 ? other.tags : new Tag[] {tag, null, other.tag};
      numbers = i % 3 == 0 ? other.numbers : new int[i % 20];
      rows = new char[][] {{'a', (char) i}, null, {(char) (i * 100)}};
      names = i % 3 == 2 ? null : new String[] {"name " + i, null, "name"};
      next = other;
    }

    Entity() {}
  }

  private static List<Entity> entities(int count) {
    List<Entity> all = new ArrayList<>();
    Entity last = new Entity();
    for (int i = 0; i < count; i++) {
      last = new Entity(i, last);
      all.add(last);
    }
    return all;
  }

  @Test
  public void valuesAreAsSharedAsTheyWere() throws Exception {
    for (int count : new int[] {1, 2, 5, 30, 100}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      List<Entity> all = entities(count);
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(all);
        out.writeObject(all.get(0).id);
        out.reset();
        out.writeObject(all);
        out.writeUnshared(new Entity(count, all.get(0)));
      }
      try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
        for (int i = 0; i < 4; i++) {
          see(count + " of them", in.readObject());
        }
      }
    }
  }

  @Test
  public void aStreamMayReplaceThemByWhatDoesNotFit() throws Exception {
    Entity entity = new Entity(7, new Entity(4, new Entity()));
    for (Object value :
        new Object[] {entity.count, entity.id, entity.price, entity.key, entity.level, true}) {
      for (Object other : new Object[] {"text", 12, 13L, 14.5, new Tag("other")}) {
        byte[] bytes = Wire.writeReplacing(new Object[] {1, 2L, 3.5, entity}, value, other);
        attempt(value + " by " + other, () -> Wire.read(bytes));
      }
    }
  }

  @Test
  public void aFilterSeesThem() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(entities(3));
      out.writeObject(entities(3));
    }
    try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
      in.setObjectInputFilter(
          info -> {
            event(info.serialClass() + " " + info.arrayLength() + " " + info.depth());
            return ObjectInputFilter.Status.UNDECIDED;
          });
      see("filtered", in.readObject());
      see("filtered again", in.readObject());
    }
  }

  @Test
  public void aStreamMayResolveThem() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(entities(6));
    }
    try (ObjectInputStream in = new Doubling(bytes.toByteArray())) {
      see("resolved", in.readObject());
    }
  }

  /** Returns other numbers. */
  static final class Doubling extends ObjectInputStream {
    Doubling(byte[] bytes) throws IOException {
      super(new java.io.ByteArrayInputStream(bytes));
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      event("asked about " + object.getClass().getSimpleName());
      return object instanceof Integer number ? (Object) (2 * number) : object;
    }
  }
}
