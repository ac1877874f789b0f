package io.karmi.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Flink's contract of a serializer, without Flink around it. */
public class UkaTypeSerializerTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String FIRST =
      """
      package app;
      public class Account implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        public int number = 7;
        public String owner = "first";
      }
      """;

  private static final String SECOND =
      """
      package app;
      public class Account implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        public java.util.List<String> notes = new java.util.ArrayList<>();
        public String owner = "second";
        public int number = 8;
        private Object readResolve() {
          if (notes == null) {
            notes = new java.util.ArrayList<>(java.util.List.of("was " + owner));
          }
          return this;
        }
      }
      """;

  private static final String OTHER =
      """
      package app;
      public class Account implements java.io.Serializable {
        private static final long serialVersionUID = 2;
      }
      """;

  /** A record of a program's own. */
  static class Account implements Serializable {
    private static final long serialVersionUID = 1;

    enum Kind {
      PLAIN,
      GOLD
    }

    final long number;
    final String owner;
    final Kind kind;
    final Map<String, Object> more = new HashMap<>();

    Account(long number, String owner, Kind kind) {
      this.number = number;
      this.owner = owner;
      this.kind = kind;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Account
          && ((Account) other).number == number
          && ((Account) other).owner.equals(owner)
          && ((Account) other).kind == kind
          && ((Account) other).more.equals(more);
    }

    @Override
    public int hashCode() {
      return Objects.hash(number, owner);
    }

    @Override
    public String toString() {
      return "Account " + number + " " + owner + " " + kind + " " + more;
    }
  }

  /** A subclass, which no field leads to. */
  static final class Savings extends Account {
    private static final long serialVersionUID = 1;
    final Currency currency = Currency.getInstance("EUR");

    Savings(long number) {
      super(number, "saver", Kind.PLAIN);
    }
  }

  static List<Account> accounts() {
    List<Account> accounts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Account account =
          i % 7 == 6
              ? new Savings(i)
              : new Account(i, "owner " + i, i % 2 == 0 ? Account.Kind.PLAIN : Account.Kind.GOLD);
      account.more.put("number", i);
      account.more.put("list", new ArrayList<>(List.of(i, "same")));
      if (i == 5) {
        account.more.put("currency", Currency.getInstance("USD"));
      }
      accounts.add(account);
    }
    return accounts;
  }

  private static <T> byte[] written(TypeSerializer<T> serializer, T object) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(object, out);
    return out.getCopyOfBuffer();
  }

  @Test
  public void recordsComeBackInAnyOrder() throws Exception {
    TypeSerializer<Account> serializer = new UkaTypeSerializer<>(Account.class);
    List<byte[]> records = new ArrayList<>();
    for (Account each : accounts()) {
      records.add(written(serializer, each));
    }
    for (TypeSerializer<Account> reader : List.of(serializer, serializer.duplicate())) {
      for (int i = records.size() - 1; i >= 0; i--) {
        Account read = reader.deserialize(new DataInputDeserializer(records.get(i)));
        assertThat(read).isEqualTo(accounts().get(i));
        assertThat(read.getClass()).isEqualTo(accounts().get(i).getClass());
      }
    }
  }

  @Test
  public void recordDoesNotDescribeClassesOfTheTable() throws Exception {
    TypeSerializer<Account> serializer = new UkaTypeSerializer<>(Account.class);
    assertThat(written(serializer, new Account(1, "owner", Account.Kind.GOLD))).hasSizeLessThan(40);
  }

  @Test
  public void copiesAreEqualAndTheirOwn() throws Exception {
    TypeSerializer<Account> serializer = new UkaTypeSerializer<>(Account.class);
    for (Account each : accounts()) {
      Account copy = serializer.copy(each);
      assertThat(copy).isEqualTo(each).isNotSameAs(each);
      assertThat(copy.more).isNotSameAs(each.more);
    }
    byte[] record = written(serializer, accounts().get(3));
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.copy(new DataInputDeserializer(record), out);
    assertThat(out.getCopyOfBuffer()).isEqualTo(record);
  }

  @Test
  public void serializerCrossesToAnotherJvmAsAnObject() throws Exception {
    TypeSerializer<Account> serializer = new UkaTypeSerializer<>(Account.class);
    byte[] record = written(serializer, accounts().get(1));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(serializer);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      TypeSerializer<?> copy = (TypeSerializer<?>) in.readObject();
      assertThat(copy).isEqualTo(serializer).hasSameHashCodeAs(serializer);
      assertThat(copy.deserialize(new DataInputDeserializer(record))).isEqualTo(accounts().get(1));
    }
  }

  @Test
  public void recordThatIsCutOffOrDamagedFails() throws Exception {
    TypeSerializer<Account> serializer = new UkaTypeSerializer<>(Account.class);
    byte[] record = written(serializer, accounts().get(2));
    for (int length = 0; length < record.length; length++) {
      DataInputDeserializer cut = new DataInputDeserializer(record, 0, length);
      assertThatThrownBy(() -> serializer.deserialize(cut)).isInstanceOf(EOFException.class);
    }
    byte[] shorter = record.clone();
    shorter[1]--;
    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(shorter)))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class);
    byte[] other = {(byte) 0xAC, (byte) 0xED, 0, 5};
    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(other)))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("0xAC begins no record")
        .hasMessageContaining("another serializer");
    assertThat(serializer.deserialize(new DataInputDeserializer(record)))
        .isEqualTo(accounts().get(2));
  }

  private static Class<?> version(String name, String source) throws Exception {
    Path directory = FOLDER.getRoot().toPath().resolve(name);
    return Versions.load(directory, source);
  }

  @SuppressWarnings("unchecked")
  private static TypeSerializer<Object> serializer(Class<?> type) {
    return new UkaTypeSerializer<>((Class<Object>) type);
  }

  /** What a savepoint does with the snapshot of a serializer. */
  private static TypeSerializerSnapshot<Object> saved(TypeSerializer<Object> by, Class<?> later)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, by.snapshotConfiguration());
    return TypeSerializerSnapshot.readVersionedSnapshot(
        new DataInputDeserializer(out.getCopyOfBuffer()), later.getClassLoader());
  }

  @Test
  public void stateOfAnEarlierVersionOfTheClassIsReadAsJavaIoDoes() throws Exception {
    Class<?> first = version("first", FIRST);
    Class<?> second = version("second", SECOND);
    byte[] record = written(serializer(first), first.getConstructor().newInstance());
    TypeSerializerSnapshot<Object> saved = saved(serializer(first), second);
    TypeSerializerSchemaCompatibility<Object> compatibility =
        serializer(second).snapshotConfiguration().resolveSchemaCompatibility(saved);
    assertThat(compatibility.isCompatibleAfterMigration()).isTrue();
    TypeSerializer<Object> restored = saved.restoreSerializer();
    Object read = restored.deserialize(new DataInputDeserializer(record));
    assertThat(read.getClass()).isEqualTo(second);
    assertThat(second.getField("number").get(read)).isEqualTo(7);
    assertThat(second.getField("owner").get(read)).isEqualTo("first");
    assertThat(second.getField("notes").get(read)).isEqualTo(List.of("was first"));
    byte[] again = written(serializer(second), read);
    assertThat(
            second
                .getField("notes")
                .get(serializer(second).deserialize(new DataInputDeserializer(again))))
        .isEqualTo(List.of("was first"));
    byte[] byRestored = written(restored, read);
    assertThat(
            second
                .getField("notes")
                .get(restored.deserialize(new DataInputDeserializer(byRestored))))
        .isEqualTo(List.of("was first"));
  }

  @Test
  public void stateOfTheSameVersionFitsAsItIsAndThatOfAnotherClassDoesNot() throws Exception {
    Class<?> first = version("firstOnce", FIRST);
    Class<?> again = version("firstAgain", FIRST);
    Class<?> other = version("other", OTHER);
    assertThat(
            serializer(again)
                .snapshotConfiguration()
                .resolveSchemaCompatibility(saved(serializer(first), again))
                .isCompatibleAsIs())
        .isTrue();
    TypeSerializer<Object> current = serializer(other);
    TypeSerializerSnapshot<Object> before = saved(serializer(first), other);
    assertThat(current.snapshotConfiguration().resolveSchemaCompatibility(before).isIncompatible())
        .isTrue();
    assertThat(current.toString())
        .as("what Flink's StateMigrationException says of the new serializer")
        .startsWith("UkaTypeSerializer of " + other.getName() + ", description ")
        .contains(": the state ");
    assertThat(before.restoreSerializer().toString())
        .as("and of the old one")
        .startsWith("UkaTypeSerializer of ")
        .isNotEqualTo(serializer(other).toString());
  }

  @Test
  public void genericTypesBelowKryoChangeAsJavaIoAllows() throws Exception {
    Class<?> first = version("kryoFirst", FIRST);
    Class<?> second = version("kryoSecond", SECOND);
    Output out = new Output(64, -1);
    Kryo kryo = new Kryo();
    kryo.setClassLoader(first.getClassLoader());
    UkaKryoSerializer serializer = new UkaKryoSerializer();
    serializer.write(kryo, out, first.getConstructor().newInstance());
    kryo.setClassLoader(second.getClassLoader());
    Object read = serializer.read(kryo, new Input(out.toBytes()), second);
    assertThat(second.getField("notes").get(read)).isEqualTo(List.of("was first"));
    kryo.setClassLoader(new ClassLoader(null) {});
    assertThatThrownBy(() -> serializer.read(kryo, new Input(out.toBytes()), second))
        .isInstanceOf(KryoException.class)
        .hasRootCauseInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("app.Account");
  }

  @Test
  public void unserializableObjectIsNamedBelowKryo() {
    Account account = accounts().get(0);
    account.more.put("object", new Object());
    assertThatThrownBy(() -> new UkaKryoSerializer().write(new Kryo(), new Output(64, -1), account))
        .isInstanceOf(KryoException.class)
        .hasMessageContaining(Account.class.getName())
        .hasRootCauseMessage("java.lang.Object");
  }

  @Test
  public void factoryMakesTheTypeOfAClass() {
    TypeInformation<Object> type =
        new UkaTypeInfoFactory<Object>().createTypeInfo(Account.class, Map.of());
    assertThat(type).isEqualTo(new UkaTypeInfo<>(Account.class));
    assertThat(type.isKeyType()).isTrue();
    assertThatThrownBy(
            () -> new UkaTypeInfoFactory<Object>().createTypeInfo(Object.class, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no serializable class");
  }
}
