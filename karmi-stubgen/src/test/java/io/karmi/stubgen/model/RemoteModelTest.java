package io.karmi.stubgen.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.Test;

public class RemoteModelTest {
  interface Put<T> extends Remote {
    void put(T value) throws RemoteException;
  }

  interface PutString extends Put<String> {
    @Override
    void put(String value) throws RemoteException;

    default int twice(int value) throws RemoteException {
      return 2 * value;
    }

    static void helper() throws RemoteException {}
  }

  interface Local {
    void local();
  }

  interface ReadsFiles extends Remote {
    void read() throws RemoteException, IOException, InterruptedException;
  }

  interface FindsFiles extends Remote {
    void read() throws RemoteException, FileNotFoundException;
  }

  static class Base implements ReadsFiles, Local {
    @Override
    public void read() {}

    @Override
    public void local() {}
  }

  static class Derived extends Base implements FindsFiles, PutString {
    @Override
    public void put(String value) {}
  }

  interface Illegal extends Remote {
    void throwsNothing();
  }

  interface IllegalStatic extends Remote {
    static void helper() {}
  }

  private static RemoteModel model(Class<?> type) {
    return RemoteModel.of(new ReflectedClass(type));
  }

  private static List<String> signatures(RemoteModel model) {
    return model.methods().stream().map(RemoteMethod::signature).collect(Collectors.toList());
  }

  @Test
  public void methodHashesAreThoseOfTheRmiSpecification() {
    Map<String, Long> byName =
        model(Registry.class).methods().stream()
            .collect(Collectors.toMap(RemoteMethod::name, RemoteMethod::hash));
    assertThat(byName)
        .containsEntry("bind", 7583982177005850366L)
        .containsEntry("list", 2571371476350237748L)
        .containsEntry("lookup", -7538657168040752697L)
        .containsEntry("rebind", -8381844669958460146L)
        .containsEntry("unbind", 7305022919901907578L);
  }

  @Test
  public void bridgesAndDefaultMethodsAreRemoteStaticOnesAreNot() {
    assertThat(signatures(model(PutString.class)))
        .containsExactly("put(Ljava/lang/Object;)V", "put(Ljava/lang/String;)V", "twice(I)I");
  }

  @Test
  public void interfacesOfTheSuperclassComeFirstAndLocalOnesAreLeftOut() {
    assertThat(model(Derived.class).interfaces())
        .containsExactly(
            ReadsFiles.class.getName(), FindsFiles.class.getName(), PutString.class.getName());
  }

  @Test
  public void unrelatedDeclarationsLeaveTheExceptionsThatBothAllow() {
    RemoteMethod read =
        model(Derived.class).methods().stream()
            .filter(method -> method.name().equals("read"))
            .findFirst()
            .get();
    assertThat(read.owner()).isEqualTo(ReadsFiles.class.getName());
    assertThat(read.exceptions())
        .containsExactlyInAnyOrder("java.rmi.RemoteException", "java.io.FileNotFoundException");
  }

  @Test
  public void methodWithoutRemoteExceptionIsIllegal() {
    assertThatThrownBy(() -> model(Illegal.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("illegal remote method encountered")
        .hasMessageContaining("throwsNothing");
    assertThatThrownBy(() -> model(IllegalStatic.class)).hasMessageContaining("helper");
  }

  @Test
  public void classWithoutRemoteInterfaceIsNotRemote() {
    assertThatThrownBy(() -> model(String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("java.lang.String is not remote");
  }

  @Test
  public void classFilesGiveTheSameModelAsReflection() throws URISyntaxException {
    Path classes =
        Path.of(RemoteModelTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (ClassPath files = new ClassPath(List.of(classes))) {
      for (Class<?> type : List.of(Derived.class, PutString.class, Registry.class)) {
        RemoteModel read = RemoteModel.of(files.view(type.getName()));
        RemoteModel reflected = model(type);
        assertThat(read.interfaces()).isEqualTo(reflected.interfaces());
        assertThat(read.methods()).isEqualTo(reflected.methods());
        assertThat(read.fingerprint()).isEqualTo(reflected.fingerprint());
      }
    }
  }

  @Test
  public void missingClassFileIsNamed() {
    try (ClassPath files = new ClassPath(List.of())) {
      assertThatThrownBy(() -> RemoteModel.of(files.view("no.such.Thing")))
          .isInstanceOf(ClassFileException.class)
          .hasMessage("class not found: no.such.Thing");
    }
  }

  @Test
  public void fingerprintTellsInterfacesApart() {
    assertThat(model(PutString.class).fingerprint())
        .isNotEqualTo(model(ReadsFiles.class).fingerprint())
        .isEqualTo(model(PutString.class).fingerprint());
  }
}
