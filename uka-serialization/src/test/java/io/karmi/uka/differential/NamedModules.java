package io.karmi.uka.differential;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Classes in a named module that exports and opens nothing. */
public final class NamedModules {

  private NamedModules() {}

  /**
   * As {@link Versions#loader}, with all classes in a module.
   *
   * @param module its name
   * @param packageName of all classes
   */
  public static ClassLoader loader(
      ClassLoader parent, String module, String packageName, String... sources) {
    ClassLoader loader = Versions.loader(parent, sources);
    ModuleDescriptor descriptor =
        ModuleDescriptor.newModule(module)
            .requires("java.base")
            .packages(Set.of(packageName))
            .build();
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(new OneModule(descriptor), ModuleFinder.of(), Set.of(module));
    ModuleLayer.defineModules(configuration, List.of(ModuleLayer.boot()), name -> loader);
    return loader;
  }

  /** Finds a module whose content is none of its business. */
  private record OneModule(ModuleDescriptor descriptor) implements ModuleFinder {
    @Override
    public Optional<ModuleReference> find(String name) {
      return name.equals(descriptor.name()) ? Optional.of(reference()) : Optional.empty();
    }

    @Override
    public Set<ModuleReference> findAll() {
      return Set.of(reference());
    }

    private ModuleReference reference() {
      return new ModuleReference(descriptor, URI.create("module:/" + descriptor.name())) {
        @Override
        public ModuleReader open() {
          throw new UnsupportedOperationException("the class loader has the classes");
        }
      };
    }
  }
}
